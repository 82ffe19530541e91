/*
 * method_unload.c - a trap as the method's version
 */
#include "patcher/method_unload.h"

#include "instance.h"
#include "patcher/patcher.h"
#include "patcher/retire.h"
#include "process/stage.h"

/* A new block is filled with traps. */
static int make_trap(struct cof_method *method, struct cof_version **out)
{
	struct cof_version_desc desc = {
		.size = sizeof(desc), .plan = COF_PLAN_NONE,
	};
	int err = cof_code_alloc(method->cof, 1, COF_CODE_FIRST, &desc.block);

	if (err)
		return err;
	desc.start = desc.block.exec;
	desc.size_bytes = desc.block.size_bytes;
	*out = cof_patcher_prepare(method, &desc, &err);
	if (*out)
		(*out)->code.is_trap = true;
	else
		cof_code_free(method->cof, &desc.block);
	return err;
}

static void retire_copy(struct cof_method *method)
{
	struct cof *cof = method->cof;
	struct cof_version *copy;

	pthread_mutex_lock(&cof->code_lock);
	copy = method->code.copy;
	method->code.copy = NULL;
	if (copy) {
		copy->retired.never = false;
		cof_retire(cof, copy);
	}
	pthread_mutex_unlock(&cof->code_lock);
}

int cof_method_unload(struct cof_method *method)
{
	struct cof_version *trap;
	int err;

	if (!method)
		return -COF_E_INVAL;
	if (!cof_method_current(method) ||
	    atomic_load_explicit(&method->code.is_unloaded,
				 memory_order_relaxed))
		return 0;
	err = make_trap(method, &trap);
	if (err)
		return err;
	if (!cof_patcher_install(trap, NULL, true))
		return -COF_E_STATE;
	retire_copy(method);
	atomic_store_explicit(&method->code.is_unloaded, true,
			      memory_order_relaxed);
	atomic_fetch_add_explicit(&method->cof->unloads, 1,
				  memory_order_release);
	cof_stage_wake(method->cof->wake.optimizer);
	return 0;
}

bool cof_method_unload_first(struct cof *cof, struct cof_version *first)
{
	bool retired;

	pthread_mutex_lock(&cof->code_lock);
	first->retired.never = false;
	retired = first->state == COF_VERSION_RETIRED;
	if (retired)
		cof_retire_count(cof, first);
	pthread_mutex_unlock(&cof->code_lock);
	return retired;
}

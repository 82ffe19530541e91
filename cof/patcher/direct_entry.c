/*
 * direct_entry.c - see direct_entry.h
 */
#include "patcher/direct_entry.h"

#include "base/role.h"
#include "instance.h"
#include "patcher/left_alone.h"

/* The version that has a copy; NULL: none has. */
static struct cof_version *first_of(struct cof_method *method)
{
	struct cof_version *copy;

	pthread_mutex_lock(&method->cof->code_lock);
	copy = method->code.copy;
	pthread_mutex_unlock(&method->cof->code_lock);
	return copy ? copy->code.copy_of : NULL;
}

/* The method may have been unloaded meanwhile, or left alone. */
static void note(struct cof_method *method, bool direct)
{
	struct cof_version *first = first_of(method);

	method->code.direct = direct;
	if (first)
		atomic_store_explicit(&first->code.led, !direct &&
				      !cof_method_left_alone(method),
				      memory_order_relaxed);
}

void cof_direct_entry_begin(struct cof_method *method)
{
	const struct cof_version *first = first_of(method);
	struct cof *cof = method->cof;

	cof_assert_role(COF_ROLE_PICKER);
	if (!cof->host.entry_direct || method->code.direct ||
	    method->build.pending || method->trial.now ||
	    cof_method_left_alone(method) ||
	    !first || first != cof_method_current(method) ||
	    cof->host.entry_direct(cof->host.ctx, method->data, 1) != 0)
		return;
	note(method, true);
	cof_count_add(&cof->flow->patcher.direct, 1);
}

bool cof_direct_entry_end(struct cof_method *method)
{
	struct cof *cof = method->cof;

	if (!method->code.direct)
		return true;
	cof_assert_role(COF_ROLE_PICKER);
	if (cof->host.entry_direct(cof->host.ctx, method->data, 0) != 0)
		return false;
	note(method, false);
	return true;
}

/*
 * direct_entry.c - see direct_entry.h
 */
#include "patcher/direct_entry.h"

#include "base/role.h"
#include "instance.h"
#include "patcher/left_alone.h"

/* Is version 0 current, and has it a copy? */
static bool is_first(struct cof_method *method)
{
	struct cof_version *copy;

	pthread_mutex_lock(&method->cof->code_lock);
	copy = method->code.copy;
	pthread_mutex_unlock(&method->cof->code_lock);
	return copy && copy->code.copy_of == cof_method_current(method);
}

void cof_direct_entry_begin(struct cof_method *method)
{
	struct cof *cof = method->cof;

	cof_assert_role(COF_ROLE_PICKER);
	if (!cof->host.entry_direct || method->code.direct ||
	    method->build.pending || method->trial.now ||
	    cof_method_left_alone(method) || !is_first(method) ||
	    cof->host.entry_direct(cof->host.ctx, method->data, 1) != 0)
		return;
	method->code.direct = true;
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
	method->code.direct = false;
	return true;
}

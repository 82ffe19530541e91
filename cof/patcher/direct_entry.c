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

/* Samples in `first` count for `v`; NULL: for itself. What stands for it since
 * the method was left alone stays. The release pairs with the acquire of
 * sampler/credit.c, which may come to `v` at any time from now on. */
static void count_for(struct cof_version *first, struct cof_version *v)
{
	struct cof *cof = first->method->cof;
	struct cof_version *was;

	pthread_mutex_lock(&cof->code_lock);
	if (v && v->state == COF_VERSION_CURRENT)
		v->retired.never = true;
	else
		v = NULL;
	was = atomic_load_explicit(&first->code.again, memory_order_relaxed);
	if (!was || !was->code.is_again)
		atomic_store_explicit(&first->code.again, v,
				      memory_order_release);
	pthread_mutex_unlock(&cof->code_lock);
}

/* The method may have been unloaded meanwhile, or left alone. */
static void note(struct cof_method *method, bool direct)
{
	struct cof_version *first = first_of(method);
	struct cof_version *now = cof_method_current(method);

	method->code.direct = direct;
	if (!first)
		return;
	atomic_store_explicit(&first->code.led, !direct &&
			      !cof_method_left_alone(method),
			      memory_order_relaxed);
	count_for(first, direct && now != first ? now : NULL);
}

void cof_direct_entry_begin(struct cof_method *method)
{
	const struct cof_version *first = first_of(method);
	const struct cof_version *now = cof_method_current(method);
	struct cof *cof = method->cof;

	cof_assert_role(COF_ROLE_PICKER);
	if (!cof->host.entry_direct || method->code.direct ||
	    method->build.pending || method->trial.now ||
	    cof_method_left_alone(method) || !first || !now ||
	    (first != now && !now->code.same_as_first) ||
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

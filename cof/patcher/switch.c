/*
 * switch.c - versions beside the current one, and switches between them
 */
#include <assert.h>

#include "base/role.h"
#include "codemem/codemem.h"
#include "instance.h"
#include "patcher/counting_thunk.h"
#include "patcher/direct_entry.h"
#include "patcher/left_alone.h"
#include "patcher/patcher.h"
#include "patcher/publish.h"
#include "patcher/retire.h"
#include "patcher/site.h"
#include "process/barrier.h"

/* [code] */
static bool can_switch(struct cof *cof)
{
	return !cof_codemem_range(cof->codemem)->closed &&
	       cof_barrier_works(cof);
}

bool cof_patcher_can_switch(struct cof *cof)
{
	bool can;

	pthread_mutex_lock(&cof->code_lock);
	can = can_switch(cof);
	pthread_mutex_unlock(&cof->code_lock);
	return can;
}

bool cof_patcher_switch(struct cof_version *to, struct cof_version *from)
{
	struct cof *cof = to->method->cof;
	bool ok;

	cof_assert_role(COF_ROLE_PICKER);
	if (!cof_direct_entry_end(to->method))
		return false;
	pthread_mutex_lock(&cof->code_lock);
	ok = atomic_load_explicit(&to->method->current,
				  memory_order_relaxed) == from &&
	     to->state == COF_VERSION_PARKED && can_switch(cof) &&
	     !cof_left_alone_may_be_in(to);
	if (ok) {
		from->state = COF_VERSION_PARKED;
		cof_publish(to);
		cof_count_add(&cof->flow->patcher.switches, 1);
	}
	pthread_mutex_unlock(&cof->code_lock);
	return ok;
}

void cof_patcher_beside(struct cof_version *v)
{
	struct cof *cof = v->method->cof;

	pthread_mutex_lock(&cof->code_lock);
	cof_sites_bind(v);
	cof_publish_park(v);
	pthread_mutex_unlock(&cof->code_lock);
}

void cof_patcher_retire(struct cof_version *v)
{
	struct cof *cof = v->method->cof;

	pthread_mutex_lock(&cof->code_lock);
	assert(v->state == COF_VERSION_PARKED);
	cof_count_add(&cof->flow->patcher.parked, -(uint64_t)1);
	cof_retire(cof, v);
	pthread_mutex_unlock(&cof->code_lock);
}

bool cof_patcher_thunk(struct cof_method *method, enum cof_thunked how)
{
	struct cof *cof = method->cof;
	struct cof_version *v;
	bool ok;

	pthread_mutex_lock(&cof->code_lock);
	v = atomic_load_explicit(&method->current, memory_order_relaxed);
	ok = v && can_switch(cof) &&
	     (how == COF_THUNKED_NO || cof_counting_thunk_make(method));
	if (ok) {
		if (method->thunk.address)
			cof_counting_thunk_lead(method, v->code.entry);
		method->thunk.callers = how;
		cof_publish_entry(method, v->code.entry);
	}
	pthread_mutex_unlock(&cof->code_lock);
	return ok;
}

void cof_patcher_count(struct cof_method *method, bool on)
{
	pthread_mutex_lock(&method->cof->code_lock);
	cof_counting_thunk_count(method, on);
	pthread_mutex_unlock(&method->cof->code_lock);
}

void cof_patcher_inside(struct cof_method *method, bool more)
{
	pthread_mutex_lock(&method->cof->code_lock);
	assert(more || method->thunk.inside > 0);
	if (more)
		method->thunk.inside++;
	else
		method->thunk.inside--;
	pthread_mutex_unlock(&method->cof->code_lock);
}

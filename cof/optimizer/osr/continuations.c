/*
 * continuations.c - see continuations.h
 */
#include "optimizer/osr/continuations.h"

#include <assert.h>

#include "instance.h"
#include "patcher/patcher.h"
#include "patcher/retire.h"

struct cof_version *cof_continuations_add(struct cof *cof,
					  struct cof_version *from,
					  const struct cof_version_desc *desc)
{
	struct cof_version *v;
	int err;

	v = cof_patcher_prepare(from->method, desc, &err);
	if (!v)
		return NULL;
	v->code.continuation = true;
	v->code.counting = desc->plan == COF_PLAN_NONE;
	cof_patcher_beside(v);
	pthread_mutex_lock(&cof->code_lock);
	v->osr.next = from->osr.continuations;
	from->osr.continuations = v;
	pthread_mutex_unlock(&cof->code_lock);
	return v;
}

void cof_continuations_drop(struct cof_version *from, struct cof_version *c)
{
	struct cof_version **at = &from->osr.continuations;
	struct cof *cof = from->method->cof;

	pthread_mutex_lock(&cof->code_lock);
	while (*at != c)
		at = &(*at)->osr.next;
	*at = c->osr.next;
	pthread_mutex_unlock(&cof->code_lock);
	cof_patcher_retire(c);
}

static void retire(struct cof *cof, struct cof_version *c)
{
	assert(c->state == COF_VERSION_PARKED);
	cof_count_add(&cof->flow->patcher.parked, -(uint64_t)1);
	cof_retire(cof, c);
}

void cof_continuations_let_go(struct cof *cof, struct cof_version *c)
{
	c->osr.on_trial = false;
	if (c->osr.orphan)
		retire(cof, c);
}

void cof_continuations_gone(struct cof *cof, struct cof_version *v)
{
	struct cof_version *c = v->osr.continuations, *next;

	v->osr.continuations = NULL;
	for (; c; c = next) {
		next = c->osr.next;
		if (c->osr.on_trial)
			c->osr.orphan = true;
		else
			retire(cof, c);
	}
}

void cof_continuations_stay(struct cof *cof, const struct cof_version *v)
{
	cof->host.osr_lead(cof->host.ctx, v->code.data, NULL);
}

/* That side first: a frame may be on its way. */
void cof_continuations_lead(struct cof *cof, const struct cof_version *from,
			    const struct cof_version *to)
{
	cof_continuations_stay(cof, to);
	cof->host.osr_lead(cof->host.ctx, from->code.data, to->code.data);
}

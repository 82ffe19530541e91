/*
 * new_methods.c - see new_methods.h
 */
#include "optimizer/new_methods.h"

#include <stdint.h>

#include "instance.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/policy/picker.h"

/* NULL: none is left. */
static struct cof_method *next_compiled(struct cof_new_methods *new)
{
	struct cof_method *m = new->taken;

	if (!m)
		m = cof_just_compiled_take(&new->just_compiled);
	new->taken = m ? cof_just_compiled_next(m) : NULL;
	return m;
}

static struct cof_method *next_sampled(struct cof *cof)
{
	uint64_t version;

	if (cof->opts.mode != COF_MODE_PGO || !cof_top_plan_is_profile(cof) ||
	    cof_ring_pop(&cof->touched, &version, 1) == 0)
		return NULL;
	return ((struct cof_version *)(uintptr_t)version)->method;
}

static struct cof_method *next(struct cof *cof, struct cof_new_methods *new)
{
	struct cof_method *m = next_compiled(new);

	return m ? m : next_sampled(cof);
}

struct cof_build *cof_new_methods_next(struct cof *cof,
				       struct cof_new_methods *new,
				       struct cof_picker *picker)
{
	struct cof_build *b = NULL;
	struct cof_method *m;

	while (!b && (m = next(cof, new)))
		b = cof_picker_just_compiled(cof, picker, m);
	return b;
}

void cof_new_methods_stop(struct cof *cof, struct cof_new_methods *new)
{
	while (next(cof, new)) {
		cof_count_add(&cof->flow->optimizer.just_compiled, 1);
		cof_count_add(&cof->flow->optimizer.drop_STOPPED, 1);
	}
}

/*
 * build.c - make a build
 */
#include "optimizer/build/build.h"

#include "instance.h"
#include "measure/cost_model.h"
#include "memory/mem.h"

struct cof_build *cof_build_new(struct cof_method *method, uint32_t over,
				const struct cof_cost_choice *c)
{
	struct cof_build *b = cof_mem_alloc(sizeof(*b));

	if (!b)
		return NULL;
	b->method = method;
	b->over = over;
	b->plan = c->plan;
	b->speedup = c->speedup;
	b->promised = c->promised;
	b->urgency = c->urgency;
	b->estimated_ns = c->estimated_ns;
	b->expected_ns = c->expected_ns;
	b->left_alone = atomic_load_explicit(&method->cof->left_alone,
					     memory_order_relaxed);
	method->build.pending = true;
	method->build.tried++;
	return b;
}

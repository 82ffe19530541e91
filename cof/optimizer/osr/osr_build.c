/*
 * osr_build.c - see osr_build.h
 */
#include "optimizer/osr/osr_build.h"

#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/build.h"
#include "optimizer/facts/host_estimate.h"

#define URGENT  1e9	/* gain per cost: nothing else helps such frames */

struct cof_build *cof_osr_build_new(struct cof *cof, struct cof_version *from,
				    enum cof_plan plan, bool tried)
{
	struct cof_method *method = from->method;
	uint64_t cost_ns = cof_host_estimate(cof, method, COF_PLAN_NONE,
					     plan).cost_ns;
	struct cof_build *b;

	cof_count_add(&cof->flow->osr.asked, 1);
	b = cof_mem_alloc(sizeof(*b));
	if (!b) {
		cof_count_add(&cof->flow->osr.drop_NO_MEMORY, 1);
		return NULL;
	}
	b->kind = COF_BUILD_OSR;
	b->method = method;
	b->over = UINT32_MAX;	/* it replaces nothing */
	b->from = from;
	b->plan = plan;
	b->tried = tried;
	b->speedup = 1;
	b->urgency = URGENT;
	b->estimated_ns = b->expected_ns = cost_ns;
	from->osr.held = true;
	method->build.pending = true;
	return b;
}

void cof_osr_build_ended(struct cof_build *b)
{
	b->from->osr.held = false;
	b->method->build.pending = false;
}

void cof_osr_build_count(struct cof *cof, const struct cof_build *b)
{
	struct cof_flow_osr *flow = &cof->flow->osr;

	cof_count_add(b->end == COF_BUILD_NO_IR ? &flow->drop_NO_IR :
		      b->end == COF_BUILD_NOT_NOW ? &flow->drop_NOT_NOW :
						    &flow->drop_DECLINED, 1);
}

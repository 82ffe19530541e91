/*
 * top_plan.c - the highest plan, from the mode and the host's callbacks
 */
#include "optimizer/facts/top_plan.h"

#include "instance.h"

bool cof_top_plan_is_profile(const struct cof *cof)
{
	return cof->opts.mode != COF_MODE_CO && cof->host.instrument &&
	       cof->host.collect;
}

enum cof_plan cof_top_plan(const struct cof *cof)
{
	return cof_top_plan_is_profile(cof) ? COF_PLAN_PROFILE : COF_PLAN_SPEED;
}

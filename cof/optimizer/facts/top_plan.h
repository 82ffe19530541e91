/*
 * top_plan.h - the highest plan that a method can reach in this instance
 *
 *	mode co, or a host that cannot count    COF_PLAN_SPEED
 *	other modes, host instruments           COF_PLAN_PROFILE
 *
 * Pure: reads the options and the host's table, which are constant after
 * cof_start(). Any thread.
 */
#pragma once

#include <stdbool.h>

#include "cof.h"

struct cof;

/* A version built with it is settled: nothing better can be built. */
enum cof_plan cof_top_plan(const struct cof *cof);

/* Does the mode want methods to be instrumented, and can the host do it? */
bool cof_top_plan_is_profile(const struct cof *cof);

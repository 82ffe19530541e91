/*
 * offers.h - what is a method worth building with, if at all?
 *
 * Collects what the host offers, what audits measured of such offers, how long
 * the method ran so far and how busy the machine is. The cost model
 * (measure/cost_model.h) decides. Whether the method needs a new profile is
 * decided here:
 *
 *	mode, host   has a profile?   of this phase?   plan PROFILE
 *	cannot       -                -                is not offered
 *	can          no               -                counts first
 *	can          yes              yes              is built at once
 *	can          yes, in use      no               counts again, if the
 *	                                               phase allows it
 *	                                               (instrumented/profile.h)
 *
 * Thread: P/O, if nothing else is said.
 */
#pragma once

#include <stdbool.h>

#include "cof.h"
#include "measure/cost_model.h"

struct cof;
struct cof_forecast;
struct cof_picker;
struct cof_version;

/* Decides on the forecast version. Fills in *out for BUILD. */
enum cof_cost_verdict cof_offers_decide(struct cof *cof,
					const struct cof_picker *picker,
					const struct cof_forecast *f,
					struct cof_cost_choice *out);

/* Must `v` be instrumented before its method is built with `plan`? */
bool cof_offers_counts_first(const struct cof_version *v, enum cof_plan plan);

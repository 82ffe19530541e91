/*
 * offers.h - what is a method worth building with, if at all?
 *
 * Puts together what the host offers, what audits said of it, what the method
 * ran so far and how busy the machine is, and has the cost model (measure/cost_model.h)
 * decide. Whether there is to be a profile is known here:
 *
 *	mode, host     has it one?    of this phase?    then plan PROFILE
 *	cannot         -              -                 is not offered
 *	can            no             -                 counts first
 *	can            yes            yes               is built at once
 *	can            yes, in use    no                counts again, if the phase
 *	                                                allows it (optimizer/instrumented/profile.h)
 *
 * Thread: P/O, if nothing else is said.
 */
#ifndef COF_OPTIMIZER_POLICY_OFFERS_H
#define COF_OPTIMIZER_POLICY_OFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"
#include "measure/cost_model.h"

struct cof;
struct cof_forecast;
struct cof_picker;
struct cof_version;

/* Of the forecast version. *out is filled in for BUILD. */
enum cof_cost_verdict cof_offers_decide(struct cof *cof, const struct cof_picker *picker,
			 const struct cof_forecast *f, struct cof_cost_choice *out);

/* Does building `plan` over `v` take counting first? */
bool cof_offers_counts_first(const struct cof_version *v, enum cof_plan plan);

#endif /* COF_OPTIMIZER_POLICY_OFFERS_H */

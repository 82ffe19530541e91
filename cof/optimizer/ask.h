/*
 * ask.h - what is a method worth building with, if at all?
 *
 * Puts together what the host offers, what audits said of it, what the method
 * ran so far and how busy the machine is, and has the cost model (choose.h)
 * decide. Whether there is to be a profile is known here:
 *
 *	mode, host     has it one?    of this phase?    then plan PROFILE
 *	cannot         -              -                 is not offered
 *	can            no             -                 counts first
 *	can            yes            yes               is built at once
 *	can            yes, in use    no                counts again, if the phase
 *	                                                allows it (profile.h)
 *
 * Thread: P/O, if nothing else is said.
 */
#ifndef COF_OPTIMIZER_ASK_H
#define COF_OPTIMIZER_ASK_H

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"
#include "optimizer/choose.h"

struct cof;
struct cof_forecast;
struct cof_picker;
struct cof_profile;
struct cof_version;

/* Of the forecast version. *out is filled in for BUILD. */
enum cof_verdict cof_ask(struct cof *cof, const struct cof_picker *picker,
			 const struct cof_forecast *f, struct cof_choice *out);

/* How long `version` and those before it ran, at its speed. By samples. */
double cof_ask_past_ns(const struct cof *cof,
		       const struct cof_version *version);

/* Are methods to be instrumented, and can the host do it? Any thread. */
bool cof_ask_profiles(const struct cof *cof);

/* The highest plan there is to reach: a version with it is settled. Any. */
enum cof_plan cof_ask_top(const struct cof *cof);

/* How many phases the program began so far. */
uint64_t cof_ask_phase(const struct cof *cof);

/* Does building `plan` over `v` take counting first? */
bool cof_ask_counts_first(const struct cof_version *v, enum cof_plan plan);

/* Is there budget (again.h) for another version with a profile? */
bool cof_ask_affords(const struct cof *cof, const struct cof_picker *picker,
		     const struct cof_profile *profile);

/* Has it a profile of another phase, and may it have one of this? */
bool cof_ask_reopens(const struct cof *cof, const struct cof_method *method);

#endif /* COF_OPTIMIZER_ASK_H */

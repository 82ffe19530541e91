/*
 * instrumented.h - methods that count, until their counters are full
 *
 *	       install                    full, or nothing counted
 *	older ---------> counting version ------------------------> older again
 *	      (parked)                                |
 *	                                              v
 *	             built with its profile <-- unit <-- full
 *
 * Each turn asks the host how much every counting method has counted. P/O
 * switches full methods back to the older version: it is faster, and the build
 * may take seconds. The counting version stays PARKED, since the host keeps the
 * counts with it. Units of full methods (policy/unit_build.h) go to the
 * workers, which collect and build (build/job.h). Then the counting version is
 * retired.
 *
 * While the counting version is current, `method->trial.base` is the older one,
 * PARKED. If P/O cannot switch back, because the kernel refuses barriers by
 * now, the counting version stays current and the build replaces it.
 *
 * Thread: P/O. cof_instrumented_stop(): the thread that stopped P/O.
 */
#pragma once

#include <stdbool.h>

#include "base/flow.h"
#include "optimizer/instrumented/profile.h"

struct cof;
struct cof_version;

/* `counting` replaced `older` as current, after cof_audit_installed(). */
void cof_instrumented_begin(struct cof *cof, struct cof_profiles *all,
			struct cof_profile *p, struct cof_version *older,
			struct cof_version *counting);

/* Poll all counting methods. Returns whether something was patched; then the
 * caller owes a barrier. */
bool cof_instrumented_poll(struct cof *cof, struct cof_profiles *all);

/*
 * If the program has entered another phase, discard counts that are of both
 * phases, or so recent that they may be. Those methods may count anew in this
 * phase. Returns whether something was patched; then the caller owes a barrier.
 */
bool cof_instrumented_phase(struct cof *cof, struct cof_profiles *all);

/* May the counts of a FULL method be of two phases, because PRE has not yet
 * seen a change? */
bool cof_instrumented_may_be_mixed(struct cof *cof,
				   const struct cof_profile *p);

/* Change the state of the method, and publish it in the stats file. */
void cof_instrumented_enter(struct cof *cof, struct cof_profiles *all,
			struct cof_profile *p, enum cof_profile_state state);

/* The method's way to a profile has ended, with or without one: count it in
 * *as, and retire the counting version. */
void cof_instrumented_end(struct cof *cof, struct cof_profiles *all,
		      struct cof_profile *p, cof_count *as);

/* libcof was stopped: switch back to faster code, and count what is left as
 * STOPPED. */
void cof_instrumented_stop(struct cof *cof, struct cof_profiles *all);

/*
 * instrumented.h - P/O's second queue: methods that count, until they are full
 *
 *	       install                    full, or nothing counted
 *	older ---------> counting version ------------------------> older again
 *	      (parked)                                |
 *	                                              v
 *	             built with its profile <-- unit <-- full
 *
 * Each turn looks at every method that counts, asks the host how much, and takes
 * those that are full back to the version before: it is faster, and the build
 * may take seconds. The counting version stays PARKED, since the host keeps its
 * counts with it. Units of those (optimizer/policy/unit_build.h) go to the workers, which collect and
 * build (optimizer/build/job.h); then it is retired.
 *
 * `method->trial.base` is that version before, PARKED, as long as the counting one is
 * current. If it cannot be made current again, because the kernel refuses
 * barriers by now, the counting version stays and is built over.
 *
 * Thread: P/O; cof_instrumented_stop() whoever stopped it.
 */
#ifndef COF_OPTIMIZER_INSTRUMENTED_INSTRUMENTED_H
#define COF_OPTIMIZER_INSTRUMENTED_INSTRUMENTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/flow.h"
#include "optimizer/instrumented/profile.h"

struct cof;
struct cof_version;

/* `counting` became current over `older`, and cof_audit_installed() knows. */
void cof_instrumented_begin(struct cof *cof, struct cof_profiles *all,
			struct cof_profile *p, struct cof_version *older,
			struct cof_version *counting);

/* Look at those that count. Returns whether something was patched, so that a
 * barrier is needed. */
bool cof_instrumented_poll(struct cof *cof, struct cof_profiles *all);

/*
 * The program has gone over to another phase? What was counted in both, or so
 * lately that it may have been, is thrown away, and may be counted anew in this
 * one. Returns whether something was patched.
 */
bool cof_instrumented_phase(struct cof *cof, struct cof_profiles *all);

/* What a FULL method counted may be of two phases, for PRE has yet to see a
 * change? */
bool cof_instrumented_may_be_mixed(struct cof *cof, const struct cof_profile *p);

/* The method goes over to `state`, and all who look are shown that. */
void cof_instrumented_enter(struct cof *cof, struct cof_profiles *all,
			struct cof_profile *p, enum cof_profile_state state);

/* The method has come through, or not: counted in *as, its way is over. */
void cof_instrumented_end(struct cof *cof, struct cof_profiles *all,
		      struct cof_profile *p, cof_count *as);

/* libcof was stopped: back to faster code, and all that is left is counted. */
void cof_instrumented_stop(struct cof *cof, struct cof_profiles *all);

#endif /* COF_OPTIMIZER_INSTRUMENTED_INSTRUMENTED_H */

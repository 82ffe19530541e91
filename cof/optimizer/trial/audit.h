/*
 * audit.h - is the new version really faster? keep it, or take it back
 *
 *	installed over   +-------+  faster          kept: the older one is retired
 *	an older one --> | TRIAL |----------------> rolled back, the plan put off
 *	                 +-------+  slower            for this method, then banned
 *	                     |      cannot be told
 *	                     +----> by the point estimate, counted as inconclusive
 *
 * Both versions stay in place during a trial, and the method is switched
 * between them; docs/audit.md has the method. What P/O has to do for it:
 *
 *	- cof_patcher_install(newer, older, ...) as ever. If there is an audit
 *	  it parks `older` and does not retire it: from there on it is the
 *	  audit's;
 *	- right after it, before the next call of the kind for that method,
 *	  cof_audit_installed(). Of a unit (build_group()) newer->promise.unit
 *	  is the same number for all members, not 0, and all are installed in
 *	  one turn: they are on trial together;
 *	- cof_audit_turn() in each turn, before reclaim, and sleep no longer than
 *	  cof_audit_due_ns();
 *	- pick no method that is cof_method_on_trial(), and no plan for it that
 *	  is cof_audit_banned(); have the host's promises corrected by
 *	  cof_audit_expect(), and store in newer->promise.speedup, before it is
 *	  installed, what was expected in the end.
 *
 * A counting version is never on trial. While one is current, P/O parks the one
 * before as method->trial.base. The version after it is tried against that
 * base, unless P/O makes the base current again first, and forgets it.
 *
 * Thread: P/O, if nothing else is said.
 */
#ifndef COF_OPTIMIZER_TRIAL_AUDIT_H
#define COF_OPTIMIZER_TRIAL_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"

struct cof;
struct cof_trial_scheduler;
struct cof_version;
struct cof_workers;

/* Before P/O is started. 0 or -COF_E_NOMEM. No audit in this mode: 0 too. */
int  cof_audit_start(struct cof *cof);

/* P/O has ended, and the caller plays its part: trials end by what is known so
 * far, nothing stays parked. */
void cof_audit_stop(struct cof *cof);
void cof_audit_free(struct cof *cof);

/* All that are on trial. There is an audit. */
struct cof_trial_scheduler *cof_audit_docket(struct cof *cof);

/* A version that libcof had built became current over `older`. */
void cof_audit_installed(struct cof *cof, struct cof_method *method,
			 struct cof_version *older, struct cof_version *newer);

/* Look at the trials: end slices, decide, switch, begin others. The CPU time of
 * `workers` is not the program's; NULL: there are none. */
void cof_audit_turn(struct cof *cof, const struct cof_workers *workers);

/* How long P/O may sleep; UINT64_MAX: there is no trial. */
uint64_t cof_audit_due_ns(const struct cof *cof);

/* In another phase than the trial's? Then one for this phase may be built, if
 * it yields. */
bool cof_audit_paused(const struct cof_method *method);

/*
 * It is, but with a plan that is not the best: a version with its own profile
 * need not wait for a verdict on which of two without is the better. Or in
 * another phase, and has shown something, or waited for long enough.
 */
bool cof_audit_yields(const struct cof_method *method);

/* Then its trial ends by what is known so far; in another phase what looks
 * faster is kept for its own. Which version stays? */
struct cof_version *cof_audit_yield(struct cof *cof, struct cof_method *method);

/* Not with this plan, for now or for good: it was slower. */
bool cof_audit_banned(const struct cof_method *method, enum cof_plan plan);

/* The speed-up to expect of a plan that the host promises so much of, by what
 * was measured so far (measure/promise_calibration.h). */
double cof_audit_expect(const struct cof *cof, enum cof_plan plan,
			double promised);

#endif /* COF_OPTIMIZER_TRIAL_AUDIT_H */

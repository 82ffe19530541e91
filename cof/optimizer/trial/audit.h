/*
 * audit.h - is the new version really faster? keep it, or roll it back
 *
 *	installed over  +-------+  faster       kept, the older one is retired
 *	an older     -->| TRIAL |-------------> rolled back, the plan put off
 *	version         +-------+  slower         for this method, then banned
 *	                    |      unclear
 *	                    +----> by the point estimate, counted as unclear
 *
 * Both versions stay in place during a trial, and P/O switches the method
 * between them; docs/audit.md has the method. P/O's part:
 *
 *	install   cof_patcher_install(newer, older, ...) parks `older` if there
 *	          is an audit, instead of retiring it; from there on it is the
 *	          audit's. newer->promise.speedup, set before, is the speed-up
 *	          expected in the end.
 *	tell      cof_audit_installed() right after that, before the method's
 *	          next install. The members of a unit (build_unit()) have the
 *	          same newer->promise.unit, not 0; P/O installs all of them in
 *	          one turn, and they are on trial together.
 *	turn      cof_audit_turn() in each turn, before reclaim. P/O sleeps no
 *	          longer than cof_audit_due_ns().
 *	pick      no method that is cof_method_on_trial(), no plan that is
 *	          cof_audit_banned(). cof_audit_expect() corrects the host's
 *	          promises.
 *
 * An instrumented version is never on trial. While one is current, the version
 * before it is parked as method->trial.base. The version after it is tried
 * against that base, unless P/O makes the base current again first and clears
 * it.
 *
 * Thread: P/O, if nothing else is said.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"

struct cof;
struct cof_trial_scheduler;
struct cof_version;
struct cof_workers;

/* Called before P/O starts. 0, also if this mode has no audit, or
 * -COF_E_NOMEM. */
int  cof_audit_start(struct cof *cof);

/* Called in P/O's place after P/O has ended. Trials end by what is known so
 * far, and nothing stays parked. */
void cof_audit_stop(struct cof *cof);
void cof_audit_free(struct cof *cof);

/* The scheduler of all trials. There must be an audit. */
struct cof_trial_scheduler *cof_audit_scheduler(struct cof *cof);

/* `newer`, which libcof had built, became current over `older`; NULL: over
 * none. */
void cof_audit_installed(struct cof *cof, struct cof_method *method,
			 struct cof_version *older, struct cof_version *newer);

/* cof_trial_scheduler_turn(), if there is an audit. */
void cof_audit_turn(struct cof *cof, const struct cof_workers *workers);

/* How long P/O may sleep, ns; UINT64_MAX: there is no trial. */
uint64_t cof_audit_due_ns(const struct cof *cof);

/* Is the program in another phase than the method's trial? Then a version for
 * that phase may be built, if the trial yields. */
bool cof_audit_paused(const struct cof_method *method);

/*
 * May a new build end the method's trial?
 *
 *	in the trial's phase   if B's plan is not the best: a version with a
 *	                       profile need not wait for a verdict on two
 *	                       versions without one
 *	in another phase       if B looks faster, or the trial has waited for
 *	                       trial_pause_least generations
 */
bool cof_audit_yields(const struct cof_method *method);

/* Ends the trial of a method that yields, by what is known so far; in another
 * phase the version that looks faster is kept for its own phase. Returns the
 * version that stays current. */
struct cof_version *cof_audit_yield(struct cof *cof, struct cof_method *method);

/* Is the method not to be built with this plan, for now or for good, since that
 * was slower? */
bool cof_audit_banned(const struct cof_method *method, enum cof_plan plan);

/* The speed-up to expect of a plan of which the host promises `promised`, by
 * what was measured so far (measure/promise_calibration.h). */
double cof_audit_expect(const struct cof *cof, enum cof_plan plan,
			double promised);

/*
 * phase_reuse.h - bring back the versions of a phase when the phase returns
 *
 *	in a phase     P/O remembers the version of each method that passed its
 *	               audit, or that was current when the phase ended
 *	replaced       a version that another phase's replaces is PARKED, not
 *	               retired
 *	phase returns  P/O switches each method that is not on trial, counting
 *	               or being built to its version of that phase: no build
 *	too many       parked versions of one method (options phase_versions,
 *	               phase_kb): the one of the least recent phase is retired
 *
 * P/O does not remember versions that the host made itself, tier 0 and images:
 * any later one that passed its audit is better. A version from before the host
 * itself replaced the code never comes back, since the method may have another
 * meaning by now.
 *
 * PRE determines the phase (predictor/phase.h). Without an audit replaced
 * versions are retired at once, so nothing is remembered.
 *
 * Owner of a PARKED version: the audit while it is on trial; the method's
 * trial.base while another version counts; else, if phase.parked is set, this
 * file.
 *
 * Thread: P/O, unless a function says otherwise.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof;
struct cof_method;
struct cof_version;

/* Call after the audit has started and before P/O does. 0 or -COF_E_NOMEM. */
int  cof_phase_reuse_start(struct cof *cof);

/* P/O and the audit have ended: leave no version parked. Any thread. */
void cof_phase_reuse_stop(struct cof *cof);
void cof_phase_reuse_free(struct cof *cof);

/*
 * If the phase has changed, remember the versions of the old one and bring back
 * those of the new one. Returns whether something was patched; then the caller
 * owes a barrier.
 */
bool cof_phase_reuse_turn(struct cof *cof);

/*
 * Is the method's current version of another phase than the present one? Then
 * it may be worth a new profile. False between phases; true before the first
 * phase has begun.
 */
bool cof_phase_reuse_changed(const struct cof *cof,
			     const struct cof_method *method);

/* Is the program in another phase than `phase`? False if `phase` is 0. */
bool cof_phase_reuse_elsewhere(const struct cof *cof, uint32_t phase);

/* Remember `version` as the method's version of `phase`; 0: of the present
 * phase. */
void cof_phase_reuse_remember(struct cof *cof, struct cof_method *method,
			      uint32_t phase, struct cof_version *version);

/*
 * `version` is PARKED and has no owner. True: it stays parked for a phase, or
 * was retired because there were too many. False: the caller retires it.
 */
bool cof_phase_reuse_keep(struct cof *cof, struct cof_version *version);

/* `version` was retired: drop all pointers to it. [code] */
void cof_phase_reuse_forget(struct cof_version *version);

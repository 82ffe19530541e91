/*
 * phase_reuse.h - a phase that returns gets the versions back that it had
 *
 *	in a phase     the version of each method that came through its audit, or
 *	               was current when the phase ended, is remembered for it
 *	replaced       by one for another phase: PARKED beside it, not retired
 *	phase returns  each method that is not on trial, counting or being built
 *	               is switched to what it had then: no build
 *	too many       parked of one method (options phase_versions, phase_kb):
 *	               the one whose phase was not seen for longest is retired
 *
 * Versions the host made itself, tier 0 and images, are not remembered: whatever
 * came later and passed its audit is better. A version that was current before
 * the host itself replaced one never comes back, since the method may mean
 * something else by now.
 *
 * Which phase the program is in PRE says (predictor/phase.h). Without an audit
 * replaced versions are retired at once, so nothing is remembered then.
 *
 * Who owns a PARKED version: the audit while it is on trial; the method's base
 * while another counts; else, if its phase.parked is set, this file.
 *
 * Thread: P/O, if nothing else is said.
 */
#ifndef COF_OPTIMIZER_PHASES_PHASE_REUSE_H
#define COF_OPTIMIZER_PHASES_PHASE_REUSE_H

#include <stdbool.h>
#include <stdint.h>

struct cof;
struct cof_method;
struct cof_version;

/* Before P/O is started, after the audit. 0 or -COF_E_NOMEM. */
int  cof_phase_reuse_start(struct cof *cof);

/* P/O has ended, and the audit: nothing stays parked. Any thread. */
void cof_phase_reuse_stop(struct cof *cof);
void cof_phase_reuse_free(struct cof *cof);

/*
 * Has the phase changed? Then remember, and bring back. Returns whether
 * something was patched, so that a barrier is needed.
 */
bool cof_phase_reuse_turn(struct cof *cof);

/*
 * Is the method's current version of another phase than this one, and none known
 * that is of this one? Then it may be worth a new profile. Not between phases,
 * but before there was the first one.
 */
bool cof_phase_reuse_changed(const struct cof *cof, const struct cof_method *method);

/* Is this another phase than `phase`? 0: no phase is. */
bool cof_phase_reuse_elsewhere(const struct cof *cof, uint32_t phase);

/* `version` of the method is what to go back to in `phase`; 0: in the one that
 * the program is in. */
void cof_phase_reuse_remember(struct cof *cof, struct cof_method *method,
			 uint32_t phase, struct cof_version *version);

/*
 * `version` is PARKED and nobody's any more. True: it stays parked for a phase,
 * or is retired already for there being too many. False: retire it.
 */
bool cof_phase_reuse_keep(struct cof *cof, struct cof_version *version);

/* It was retired: no pointer to it stays. [code] */
void cof_phase_reuse_forget(struct cof_version *version);

#endif /* COF_OPTIMIZER_PHASES_PHASE_REUSE_H */

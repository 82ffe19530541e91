/*
 * stepped.h - an instance without threads of its own, whose stages the caller steps
 *
 *	cof_start_stepped()
 *	clock of the caller's (base/clock.h) --> the stage that is due, or was woken:
 *
 *	SAM      cof_sampler_step()          COF_ROLE_SAMPLER, a reader of the index
 *	PRE      cof_predictor_step()        COF_ROLE_PREDICTOR
 *	P/O      cof_optimizer_step()        COF_ROLE_PICKER
 *	workers  cof_optimizer_step_builds() COF_ROLE_WORKER
 *
 * Each step returns when it is due again; a wake before that is in the stage's
 * cof_stage_woken(). The caller sets cof_role (base/role.h) to the stage's for each step.
 * All from one thread, and no guest thread is attached: reclaim would wait for its
 * own caller to answer. With a clock of the caller's a run depends on nothing but
 * what is fed to it.
 *
 * For tests and simulators, so not among what libcof.so exports.
 */
#ifndef COF_API_STEPPED_H
#define COF_API_STEPPED_H

struct cof;
struct cof_host;
struct cof_source;

/*
 * As cof_start(). Samples come from `source` (sampler/sources/source.h), which stays the
 * caller's and outlives the instance; NULL: from what option source says. The machine's load is not looked at: builds cost what they would
 * on a machine without an idle core. Option history should be none: the history has
 * a thread of its own. -COF_E_INVAL as well for a mode auto that would wait before
 * its loop begins (option auto_start_ms).
 */
int cof_start_stepped(const struct cof_host *host, const char *options,
		      const struct cof_source *source, char *why,
		      struct cof **out);

#endif /* COF_API_STEPPED_H */

/*
 * stepped.h - an instance without threads, whose stages the caller steps
 *
 *	cof_start_stepped()
 *	the caller's clock (base/clock.h) --> the stage that is due or woken:
 *
 *	SAM      cof_sampler_step()          COF_ROLE_SAMPLER, index reader
 *	PRE      cof_predictor_step()        COF_ROLE_PREDICTOR
 *	P/O      cof_optimizer_step()        COF_ROLE_PICKER
 *	workers  cof_optimizer_step_builds() COF_ROLE_WORKER
 *
 * Each step returns in how many ns it is due again; cof_stage_woken() tells
 * whether the stage was woken before that. For each step the caller sets
 * cof_role (base/role.h) to the stage's. All steps run on one thread. No guest
 * thread may be attached: reclaim would wait for its own caller to answer. With
 * a clock of the caller's, a run depends only on its input.
 *
 * For tests and simulators, so libcof.so does not export it.
 */
#pragma once

struct cof;
struct cof_host;
struct cof_source;

/*
 * As cof_start(). Samples come from `source` (sampler/sources/source.h), which
 * the caller owns and which must outlive the instance; NULL: from option
 * source. The machine's load is ignored: builds cost as much as on a machine
 * without an idle core. Option history should be none, since the history has a
 * thread of its own. -COF_E_INVAL as well for a mode auto that would wait
 * before its loop begins (option auto_start_ms).
 */
int cof_start_stepped(const struct cof_host *host, const char *options,
		      const struct cof_source *source, char *why,
		      struct cof **out);

/*
 * stepped_loop.h - a whole loop on this thread, with the test's own clock
 *
 *	stepped_start()		the clock is at 1 s
 *	stepped_spend(pc, ns)	the program is at `pc` for `ns`: meanwhile
 *				samples fall there, and each stage runs when it
 *				is due or was woken
 *	stepped_stop(), stepped_free()
 *
 * There is no thread and no real time, so all counters of two runs of one
 * program are equal. The program has a core for itself, and builds have
 * another; a step takes no time. After stepped_share() there is one core:
 * while a stage or a build works, the program does not.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/stepped.h"
#include "base/clock.h"
#include "base/role.h"
#include "code/jitinfo.h"
#include "instance.h"
#include "optimizer/optimizer.h"
#include "predictor/predictor.h"
#include "sampler/sampler.h"
#include "sampler/sources/source.h"
#include "tests/support/balance.h"

#define STEPPED_S       UINT64_C(1000000000)
#define STEPPED_SAMPLES 4096u	/* at most, between two rounds of SAM */

enum stepped_stage {
	STEPPED_SAM, STEPPED_PRE, STEPPED_PO, STEPPED_BUILDS, STEPPED_STAGES,
};

static struct {
	struct cof *cof;
	uint64_t    now_ns;	/* since the clock began */
	uint64_t    cpu_ns;	/* of the process */
	uint64_t    thread_ns[COF_ROLE_WORKER + 1];	/* CPU time */
	uint64_t    shared_ns;	/* of the core, by others than the program */
	bool        one_core;
	uint64_t  (*cost)(enum stepped_stage);	/* of a step, in ns; NULL: 0 */
	uint64_t    due_ns[STEPPED_STAGES];
	uint64_t    sample_ns;	/* when the next one falls */
	uint64_t    period_ns;	/* between two, on average */
	uint64_t    random;
	uint64_t    fallen;	/* samples */
	uint64_t    pc[STEPPED_SAMPLES];	/* not taken by SAM yet */
	uint32_t    n_pcs;
} stepped;

/* -- The clock, and where samples come from -------------------------------- */

static inline uint64_t stepped_clock(clockid_t id)
{
	switch (id) {
	case CLOCK_MONOTONIC:
	case CLOCK_REALTIME:
		return stepped.now_ns;
	case CLOCK_PROCESS_CPUTIME_ID:
		return stepped.cpu_ns;
	default:
		return stepped.thread_ns[cof_role];
	}
}

/* On the one core another thread than the program's works for `ns`. */
static inline void stepped_hold(uint64_t ns)
{
	if (!stepped.one_core)
		return;
	stepped.now_ns += ns;
	stepped.shared_ns += ns;
	if (stepped.sample_ns != UINT64_MAX)	/* by the program's CPU time */
		stepped.sample_ns += ns;
}

/* For a host's callbacks: a build has used `ns` of CPU time. */
static inline void stepped_work(uint64_t ns)
{
	stepped.thread_ns[cof_role] += ns;
	/* Trials subtract what the threads of workers used, and here are none.
	 * So the process's clock shows the program alone. */
	if (!stepped.one_core)
		stepped.cpu_ns += ns;
	stepped_hold(ns);
}

/* After stepped_start(): one core for all. `cost`: of each step. */
static inline void stepped_share(uint64_t (*cost)(enum stepped_stage))
{
	stepped.one_core = true;
	stepped.cost = cost;
}

static inline int stepped_open(struct cof *cof, void **own, char *why,
			       size_t bytes)
{
	(void)cof, (void)why, (void)bytes;
	*own = NULL;
	return 0;
}

static inline void stepped_close(void *own)
{
	(void)own;
}

static inline void stepped_read(void *own, cof_sample_fn *sink, void *arg)
{
	(void)own;
	for (uint32_t i = 0; i < stepped.n_pcs; i++)
		sink(arg, &stepped.pc[i], 1);
	stepped.n_pcs = 0;
}

static const struct cof_source stepped_source = {
	.name = "stepped", .open = stepped_open, .close = stepped_close,
	.read_all = stepped_read,
};

/* -- The stages ------------------------------------------------------------ */

/* Returns how long the stage sleeps, in ns. */
static inline uint64_t stepped_step(enum stepped_stage stage)
{
	struct cof *cof = stepped.cof;
	uint64_t ns;

	switch (stage) {
	case STEPPED_SAM:
		cof_role = COF_ROLE_SAMPLER;
		cof_jitinfo_reader_enter();
		ns = cof_sampler_step(cof, stepped.now_ns);
		cof_jitinfo_reader_leave();
		break;
	case STEPPED_PRE:
		cof_role = COF_ROLE_PREDICTOR;
		ns = cof_predictor_step(cof, stepped.now_ns);
		break;
	case STEPPED_PO:
		cof_role = COF_ROLE_PICKER;
		ns = cof_optimizer_step(cof, stepped.now_ns);
		stepped.due_ns[STEPPED_BUILDS] = stepped.now_ns;
		break;
	default:
		cof_role = COF_ROLE_WORKER;
		ns = cof_optimizer_step_builds(cof);
		break;
	}
	if (stepped.cost)
		stepped_work(stepped.cost(stage));
	cof_role = COF_ROLE_APP;
	return ns;
}

static inline void stepped_take_wakes(void)
{
	struct cof *cof = stepped.cof;

	if (!cof_takes_compiled(cof) &&
	    cof_stage_woken(cof->wake.sampler))
		stepped.due_ns[STEPPED_SAM] = stepped.now_ns;
	if (cof->predictor && cof_stage_woken(cof->wake.predictor))
		stepped.due_ns[STEPPED_PRE] = stepped.now_ns;
	if (cof_stage_woken(cof->wake.optimizer))
		stepped.due_ns[STEPPED_PO] = stepped.now_ns;
}

/* The stage that is due first; of several, the first in the enum. */
static inline enum stepped_stage stepped_next(void)
{
	enum stepped_stage first = STEPPED_SAM;

	for (int i = 1; i < STEPPED_STAGES; i++)
		if (stepped.due_ns[i] < stepped.due_ns[first])
			first = (enum stepped_stage)i;
	return first;
}

/* Step all stages that are due by now. */
static inline void stepped_turn(void)
{
	for (;;) {
		enum stepped_stage stage;
		uint64_t ns;

		stepped_take_wakes();
		stage = stepped_next();
		if (stepped.due_ns[stage] > stepped.now_ns)
			return;
		ns = stepped_step(stage);
		ns = ns < 1000 ? 1000 : ns;	/* no stage is that fast */
		stepped.due_ns[stage] = ns > UINT64_MAX - stepped.now_ns ?
					UINT64_MAX : stepped.now_ns + ns;
	}
}

/* -- The program ----------------------------------------------------------- */

/*
 * The next sample comes after half to one and a half periods, or samples might
 * fall in step with the program.
 */
static inline void stepped_sample(const void *pc)
{
	if (stepped.n_pcs == STEPPED_SAMPLES)
		abort();	/* SAM is never that late */
	stepped.pc[stepped.n_pcs++] = (uintptr_t)pc;
	stepped.fallen++;
	stepped.random = stepped.random * 6364136223846793005u +
			 1442695040888963407u;
	stepped.sample_ns += stepped.period_ns / 2 +
			     (stepped.random >> 33) % stepped.period_ns;
}

/*
 * The program is at `pc` for `ns`, and has woken no stage before. Stages wake
 * each other in steps only, so none is due before the next one is.
 */
static inline void stepped_go(const void *pc, uint64_t ns)
{
	while (ns > 0) {
		uint64_t next_ns = stepped.due_ns[stepped_next()], step_ns;

		next_ns = next_ns < stepped.sample_ns ? next_ns :
							stepped.sample_ns;
		step_ns = next_ns > stepped.now_ns ? next_ns - stepped.now_ns :
						     0;
		step_ns = step_ns < ns ? step_ns : ns;
		ns -= step_ns;
		stepped.cpu_ns += step_ns;
		stepped.now_ns += step_ns;
		if (stepped.now_ns == stepped.sample_ns)
			stepped_sample(pc);
		if (stepped.now_ns >= stepped.due_ns[stepped_next()])
			stepped_turn();
	}
}

/* The program is at `pc` for `ns`. */
static inline void stepped_spend(const void *pc, uint64_t ns)
{
	stepped_turn();
	stepped_go(pc, ns);
}

/* The program waits for `ns`: no sample falls. */
static inline void stepped_sleep(uint64_t ns)
{
	uint64_t end_ns = stepped.now_ns + ns, next_ns;
	uint64_t sample_in_ns = stepped.sample_ns - stepped.now_ns;
	bool sampled = stepped.sample_ns != UINT64_MAX;

	stepped.sample_ns = UINT64_MAX;
	while (stepped.now_ns < end_ns) {
		next_ns = stepped.due_ns[stepped_next()];
		stepped.now_ns = next_ns < end_ns ? next_ns : end_ns;
		stepped_turn();
	}
	if (sampled)
		stepped.sample_ns = stepped.now_ns + sample_in_ns;
}

/* The program is in the current version of the method for `ns`. */
static inline void stepped_spend_in(const struct cof_method *m, uint64_t ns)
{
	const struct cof_version *v = atomic_load(
		&((struct cof_method *)(uintptr_t)m)->current);

	stepped_spend((const void *)v->code.start, ns);
}

/* The program is in no version until `cond` holds. For cmocka tests. */
#define STEPPED_LOOK_NS 100000u
#define stepped_until(cond)						\
	do {								\
		uint64_t end_ns_ = stepped.now_ns + 3600 * STEPPED_S;	\
									\
		while (!(cond)) {					\
			if (stepped.now_ns > end_ns_) {			\
				show_flow(stepped.cof->flow);		\
				fail_msg("never: %s", #cond);		\
			}						\
			stepped_spend(NULL, STEPPED_LOOK_NS);		\
		}							\
	} while (0)

/* -- Life ------------------------------------------------------------------ */

/*
 * As cof_start(). Samples come from stepped_spend(); with `by_option`, from
 * option source: a replayed file, or none.
 */
static inline int stepped_start(const struct cof_host *host,
				const char *options, bool by_option, char *why)
{
	int err;

	memset(&stepped, 0, sizeof(stepped));
	stepped.now_ns = stepped.cpu_ns = STEPPED_S;
	cof_clock_injected = stepped_clock;
	err = cof_start_stepped(host, options, by_option ? NULL :
				&stepped_source, why, &stepped.cof);
	if (err)
		return err;
	stepped.period_ns = STEPPED_S / stepped.cof->opts.sample_hz;
	stepped.sample_ns = by_option ? UINT64_MAX :
					stepped.now_ns + stepped.period_ns;
	for (int i = 0; i < STEPPED_STAGES; i++)
		stepped.due_ns[i] = stepped.now_ns;
	if (!stepped.cof->predictor)
		stepped.due_ns[STEPPED_PRE] = UINT64_MAX;
	if (cof_takes_compiled(stepped.cof))
		stepped.due_ns[STEPPED_SAM] = stepped.sample_ns = UINT64_MAX;
	return 0;
}

/* Stop the instance. The counters can still be read. */
static inline void stepped_stop(void)
{
	cof_stop(stepped.cof);
}

static inline void stepped_free(void)
{
	cof_free(stepped.cof);
	stepped.cof = NULL;
	cof_clock_injected = NULL;
}

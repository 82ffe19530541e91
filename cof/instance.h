/*
 * instance.h - one libcof instance: what the stages share
 *
 *	guest threads --rings--> SAM --touched--> PRE --forecasts--> P/O
 *	                                                    |  ^
 *	                                              builds v  | results
 *	                                                  workers
 *
 * Locks:
 *
 *	code     methods, versions, sites, slots, stubs, code memory, index writes
 *	threads  the list of attached threads and of listed stacks
 *	log      one line of the host's log at a time
 *
 * None of them is held while another is taken, but for the hooks around
 * fork(2), which take code and then threads of each instance (api/fork_hooks.c). A
 * thread that ends takes threads under the exit lock of hosts/mono/vm/threads.c. No callback
 * of the host is made under a lock but log(), under log; and nothing waits for
 * a grace period of liburcu's under one. docs/threads.md has all locks of the
 * process, in order.
 *
 * Each stage keeps its own state in its own struct, made by its _start().
 */
#ifndef COF_INSTANCE_H
#define COF_INSTANCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "process/file_thread.h"

#include "code/version_list.h"
#include "cof.h"
#include "api/exit_request.h"
#include "base/flow.h"
#include "measure/reprofile_budget.h"
#include "options/opts.h"
#include "reclaim/reclaim.h"
#include "base/ring.h"
#include "sampler/credit.h"
#include "process/stage.h"
#include "code/version.h"

struct cof_source;

struct cof {
	/* Constant after cof_start(). */
	struct cof_host         host;
	uint32_t                forks;		/* cof_forked_count() then */
	struct cof_opts         opts;
	struct cof_flow        *flow;		/* inside *share */
	struct cof_stats_file       *share;
	bool                    stepped;	/* api/stepped.h: no stage has a
						 * thread */
	const struct cof_source *stepped_source;	/* NULL: as the options say */
	struct cof_jitinfo     *index;
	struct cof_codemem     *codemem;
	struct cof_reclaim     *reclaim;
	struct cof_threads     *threads;
	struct cof_sampler     *sampler;	/* NULL in mode off */
	struct cof_predictor   *predictor;	/* NULL in modes off and pgo */
	struct cof_optimizer   *optimizer;	/* NULL in mode off */

	/* Their threads, by which lower layers wake them: cof_stage_wake(). NULL:
	 * there is none. Set when a stage is made, before any thread looks. */
	struct {
		struct cof_stage *sampler, *predictor, *optimizer;
	} wake;

	struct cof_history     *history;	/* NULL: nothing is remembered */
	uint64_t                history_waited_ns;	/* by cof_start() */
	struct cof_audit       *audit;		/* NULL: no version is on trial */
	struct cof_phase_reuse      *phases;		/* NULL: no version is kept for its
						 * phase to return */
	struct cof_osr         *osr;		/* P/O's; NULL without P/O */
	struct cof_reprofile_budget reprofile_budget;	/* P/O's */

	/* membarrier(SYNC_CORE): 1 works, -1 was refused, 0 not known yet;
	 * patcher.c. */
	_Atomic int             can_sync;

	struct cof_reclaim_hooks hooks;		/* constant once P/O runs */

	pthread_mutex_t         code_lock;
	struct cof_version_list retired;	/* [code] since reclaim's last round */
	struct cof_method      *methods;	/* [code] */

	struct cof_unknown      unknown;	/* SAM's */

	/* SAM -> PRE: records of 1 word, a version first sampled in this
	 * generation. */
	struct cof_ring         touched;

	/* PRE -> P/O: records of COF_FORECAST_WORDS, predictor/forecast.h. */
	struct cof_ring         forecasts;

	/* Generations turned; written by PRE, read by anyone. */
	_Atomic uint64_t        generation;

	/* The phase of the program, cof_phase_pack(); written by PRE. */
	_Atomic uint64_t        phase;
	uint64_t                phase_taken;	/* P/O's: that, as of its latest
						 * turn; 0: without `phases` */

	/*
	 * Times SAM and PRE went round and dropped every pointer to a version
	 * they held from before. By them a record is freed:
	 *
	 *	reclaim (P/O)               SAM                 PRE
	 *	version DEAD, out of index  ... use, push
	 *	fence            (A)        fence          (B)
	 *	load sam_turns              sam_turns + 1  (C)
	 *	  until it has grown by 2
	 *	load sam_turns   (D)                            ... use, push
	 *	fence            (E)                            pre_turns + 1 (G)
	 *	load pre_turns                                  fence         (F)
	 *	  until forecasts_turn has grown 2 beyond
	 *	load pre_turns   (H), empty `forecasts`
	 *
	 * A and B, fences: of SAM's turns after the load the first two may
	 * still find the version, no later one. C, a release, and D, an
	 * acquire: all that SAM did with it is over, and what it pushed is in
	 * the ring. E and F, fences: of PRE's turns after the load the second
	 * sees it DEAD, and finds the ring as SAM left it. G, a release, and
	 * H, an acquire: what PRE did with it is over, its forecasts are taken.
	 *
	 * A, D, E: hosts/mono/vm/jit_record.c; B: cof_jitinfo_reader_quiet(); C: sampler.c,
	 * round_of(); F, G: cof_predictor_turn(); H: optimizer.c,
	 * take_forecasts().
	 */
	_Atomic uint64_t        sam_turns, pre_turns;

	/*
	 * P/O: pre_turns as it was before P/O last emptied `forecasts`. Only a
	 * turn up to this one left nothing in that ring, so reclaim compares
	 * with it and not with pre_turns.
	 */
	uint64_t                forecasts_turn;

	/*
	 * No sample is taken, so nothing is predicted or built, before the
	 * process has used so much CPU time; 0: at once. What mode auto does
	 * with a program that is too short or gained nothing, and, for option
	 * auto_start_ms, before it asks whether it is one: then SAM alone knows
	 * of the later time. Constant after cof_start(); SAM stores `begun`.
	 */
	uint64_t                begins_cpu_ns;
	_Atomic bool            begun;

	_Atomic bool            stopped;	/* cof_stop() was called */
	bool                    fork_entered;	/* api/cof.c: undo that hook */

	_Atomic uint64_t        first_sample_ns;	/* cof_clock_ns(); by SAM */
	pthread_mutex_t         log_lock;
	struct cof_file_thread        apart;
	struct cof_exit_request      exiting;
};

/* Turns of the predictor's clock so far. A count alone: orders nothing. */
static inline uint64_t cof_generation_now(const struct cof *cof)
{
	return atomic_load_explicit(&((struct cof *)cof)->generation,
				    memory_order_relaxed);
}

/* Is the loop on, or still waiting for its time? */
static inline bool cof_has_begun(const struct cof *cof)
{
	return cof->begins_cpu_ns == 0 ||
	       atomic_load_explicit((_Atomic bool *)&cof->begun,
				    memory_order_acquire);
}

#endif /* COF_INSTANCE_H */

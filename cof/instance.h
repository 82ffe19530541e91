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
 *	code     methods, versions, sites, slots, stubs, code memory, writes
 *	         to the index
 *	threads  the list of attached threads and of listed stacks
 *	log      one line of the host's log at a time
 *
 * No thread takes one of them while it holds another, but in the hooks around
 * fork(2), which take code and then threads of each instance
 * (api/fork_hooks.c). A thread that ends takes threads under the exit lock of
 * threads/threads.c. libcof calls the host under none of them but for log(),
 * which it calls under log. Nothing waits for a grace period of liburcu's under
 * a lock. docs/threads.md has all locks of the process, in order.
 *
 * Each stage keeps its state in a struct of its own, made by its _start().
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/flow.h"
#include "base/ring.h"
#include "code/version.h"
#include "code/version_list.h"
#include "cof.h"
#include "measure/reprofile_budget.h"
#include "measure/unproven_budget.h"
#include "options/opts.h"
#include "process/exit_request.h"
#include "process/file_thread.h"
#include "process/stage.h"
#include "reclaim/reclaim.h"
#include "sampler/child_start.h"
#include "sampler/credit.h"

struct cof_source;

struct cof {
	/* Constant after cof_start(). */
	struct cof_host         host;
	_Atomic uint32_t        forks;		/* cof_forked_count() then; in a
						 * fork's child, when the loop
						 * began anew */
	struct cof_child_start  child_start;
	void                  (*begin_in_child)(struct cof *cof); /* on a
						 * thread made for that */
	struct cof_opts         opts;
	struct cof_flow        *flow;		/* inside the stats file */
	struct cof_stats_file       *stats_file;
	bool                    stepped;	/* api/stepped.h: no stage has a
						 * thread */
	const struct cof_source *stepped_source; /* NULL: the options' one */
	struct cof_jitinfo     *index;
	struct cof_codemem     *codemem;
	struct cof_reclaim     *reclaim;
	struct cof_threads     *threads;
	struct cof_sampler     *sampler;	/* NULL in mode off */
	struct cof_predictor   *predictor;	/* NULL in modes off and pgo */
	struct cof_optimizer   *optimizer;	/* NULL in mode off */

	/*
	 * Their threads, by which lower layers wake them: cof_stage_wake().
	 * NULL: there is none. Set when a stage is made, before any thread
	 * reads it.
	 */
	struct {
		struct cof_stage *sampler, *predictor, *optimizer;
	} wake;

	struct cof_history     *history;	/* NULL: none is kept */
	struct cof_audit       *audit;		/* NULL: there are no trials */
	struct cof_phase_reuse *phase_reuse;	/* NULL: no version is parked
						 * until its phase returns */
	struct cof_osr         *osr;		/* P/O's; NULL without P/O */
	struct cof_reprofile_budget reprofile_budget;	/* P/O's */
	struct cof_unproven_budget unproven;		/* P/O's */
	uint64_t counting_since_ns;	/* P/O's; program's CPU time, 0: nothing
					 * counts (build/unproven.h) */

	/* membarrier(SYNC_CORE): 1 works, -1 was refused, 0 not known yet;
	 * process/barrier.c. */
	_Atomic int             can_sync;

	struct cof_reclaim_hooks hooks;		/* constant once P/O runs */

	pthread_mutex_t         code_lock, log_lock;	/* in one page */
	struct cof_version_list retired;	/* [code] since reclaim's last
						 * round */
	struct cof_method      *methods;	/* [code] */
	_Atomic uint64_t        unloads;	/* cof_method_unload() so far */
	_Atomic uint32_t        left_alone;	/* methods so far, written under
						 * [code] (cof_leave_alone()) */

	struct cof_unknown      unknown;	/* SAM's */

	/* SAM -> PRE: records of 1 word, a version first sampled in this
	 * generation. In mode pgo -> P/O: a method's first version, once. */
	struct cof_ring         touched;

	/* PRE -> P/O: records of COF_FORECAST_WORDS, predictor/forecast.h. */
	struct cof_ring         forecasts;

	_Atomic uint64_t        done_turn;	/* P/O's turns, if the latest
						 * left nothing to build; else
						 * 0 (optimizer/finish.h) */

	/* Generations so far; written by PRE, read by any thread. */
	_Atomic uint64_t        generation;

	/* The phase of the program, cof_phase_pack(); written by PRE. */
	_Atomic uint64_t        phase;
	uint64_t                phase_taken;	/* P/O's: the phase as of its
						 * latest turn; 0: without
						 * `phases` */

	/*
	 * Times SAM and PRE went round and dropped every pointer to a version
	 * that they held from before. Reclaim frees a record by them:
	 *
	 *	reclaim (P/O)               SAM                PRE
	 *	version DEAD, out of index  ... use, push
	 *	fence            (A)        fence          (B)
	 *	load sam_turns              sam_turns + 1  (C)
	 *	  until it has grown by 2
	 *	load sam_turns   (D)                           ... use, push
	 *	fence            (E)                           pre_turns + 1 (G)
	 *	load pre_turns                                 fence         (F)
	 *	  until forecasts_turn has grown 2 beyond
	 *	load pre_turns   (H), empty `forecasts`
	 *
	 * A and B, fences: of SAM's turns after the load, the first two may
	 * still find the version, and no later one does. C, a release, and D,
	 * an acquire: SAM is done with the version, and what SAM pushed is in
	 * the ring. E and F, fences: of PRE's turns after the load, the second
	 * sees the version DEAD and finds the ring as SAM left it. G, a
	 * release, and H, an acquire: PRE is done with the version, and P/O
	 * has taken PRE's forecasts.
	 *
	 * A, D, E: patcher/version_record.c
	 * B: cof_jitinfo_reader_quiet()
	 * C: round_of() in sampler/sampler.c
	 * F, G: cof_predictor_turn()
	 * H: take_forecasts() in optimizer/optimizer.c
	 */
	_Atomic uint64_t        sam_turns, pre_turns;

	/*
	 * P/O's: pre_turns as it was before P/O last emptied `forecasts`. PRE's
	 * turns up to this one left nothing in that ring; later ones may have.
	 * So reclaim compares with it and not with pre_turns.
	 */
	uint64_t                forecasts_turn;

	/*
	 * SAM takes no sample, so nothing is predicted or built, before the
	 * process has used so much CPU time. 0: SAM begins at once. Mode auto
	 * sets this for a program that is too short or gained nothing. It also
	 * sets it to option auto_start_ms, until it has asked whether the
	 * program is one of these; then SAM alone knows the later time.
	 * Constant after cof_start(); SAM stores `begun`.
	 */
	uint64_t                begins_cpu_ns;
	_Atomic bool            begun;

	_Atomic bool            stopped;	/* cof_stop() was called, or
						 * the process is about to
						 * end */
	_Atomic bool            joined;		/* cof_stop() is over: there
						 * are no threads */
	_Atomic bool            quiet;		/* cof_quiesce() was called: no
						 * system calls any more */
	bool                    fork_entered;	/* api/cof.c: undo that hook */

	_Atomic uint64_t        first_sample_ns; /* cof_clock_ns(); by SAM */
	struct cof_file_thread  file_thread;
	struct cof_exit_request exit_request;
};

/* Generations so far. Relaxed: the count orders nothing else. */
static inline uint64_t cof_generation_now(const struct cof *cof)
{
	return atomic_load_explicit(&((struct cof *)cof)->generation,
				    memory_order_relaxed);
}

/* Relaxed: threads may see it late only before the caller of cof_quiesce() goes
 * on, and are guests that ask the kernel for nothing more until then. */
static inline bool cof_is_quiet(const struct cof *cof)
{
	return atomic_load_explicit((_Atomic bool *)&cof->quiet,
				    memory_order_relaxed);
}

/* Mode pgo takes methods as they are compiled, and needs no samples, unless the
 * host adds what is never called. */
static inline bool cof_takes_compiled(const struct cof *cof)
{
	return cof->opts.mode == COF_MODE_PGO && !cof->host.adds_uncalled;
}

/* Is the loop on, or still waiting for its time? */
static inline bool cof_has_begun(const struct cof *cof)
{
	return cof->begins_cpu_ns == 0 ||
	       atomic_load_explicit((_Atomic bool *)&cof->begun,
				    memory_order_acquire);
}

/* The latest method, which leads to all before it. That list is constant. */
static inline struct cof_method *cof_methods(struct cof *cof)
{
	struct cof_method *latest;

	pthread_mutex_lock(&cof->code_lock);
	latest = cof->methods;
	pthread_mutex_unlock(&cof->code_lock);
	return latest;
}

/*
 * instance.h - one libcof instance: what the stages share
 *
 *	guest threads --rings--> SAM --touched--> PRE --forecasts--> P/O
 *	                                                    |  ^
 *	                                              builds v  | results
 *	                                                  workers
 *
 * Locks, none held while another is taken, none across a callback of the host:
 *
 *	code     methods, versions, sites, slots, stubs, code memory, index writes
 *	threads  the list of attached threads and of listed stacks
 *
 * Each stage keeps its own state in its own struct, made by its _start().
 */
#ifndef COF_INSTANCE_H
#define COF_INSTANCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cof.h"
#include "flow.h"
#include "opts.h"
#include "ring.h"
#include "stage.h"
#include "version.h"

struct cof {
	/* Constant after cof_start(). */
	struct cof_host         host;
	struct cof_opts         opts;
	struct cof_flow        *flow;		/* inside *share */
	struct cof_share       *share;
	struct cof_jitinfo     *index;
	struct cof_codemem     *codemem;
	struct cof_reclaim     *reclaim;
	struct cof_threads     *threads;
	struct cof_sampler     *sampler;	/* NULL in mode off */
	struct cof_predictor   *predictor;	/* NULL in mode off */
	struct cof_optimizer   *optimizer;	/* NULL in mode off */

	pthread_mutex_t         code_lock;
	struct cof_method      *methods;	/* [code] */

	/* SAM -> PRE: records of 1 word, a version first sampled in this
	 * generation. */
	struct cof_ring         touched;

	/* PRE -> P/O: records of COF_FORECAST_WORDS, predictor/forecast.h. */
	struct cof_ring         forecasts;

	/* Generations turned; written by PRE, read by anyone. */
	_Atomic uint64_t        generation;

	/*
	 * Times SAM and PRE went round and dropped every pointer to a version
	 * they held from before; release by them, acquire by reclaim.
	 */
	_Atomic uint64_t        sam_turns, pre_turns;

	/*
	 * P/O: pre_turns as it was before P/O last emptied `forecasts`. Only a
	 * turn up to this one left nothing in that ring, so reclaim compares
	 * with it and not with pre_turns.
	 */
	uint64_t                forecasts_turn;

	_Atomic bool            stopped;	/* cof_stop() was called */
	bool                    fork_entered;	/* cof.c: undo that hook */

	_Atomic uint64_t        first_sample_ns;	/* cof_clock_ns(); by SAM */
	pthread_mutex_t         log_lock;
};

/*
 * A line for the host's log, if option verbose is on; printf-like, at most 511
 * bytes. Not for signal handlers.
 */
void cof_log(struct cof *cof, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* COF_INSTANCE_H */

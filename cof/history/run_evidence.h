/*
 * run_evidence.h - a program's past summed up, for run_verdict.h to decide by
 *
 *	remembered runs  --run_evidence-->  evidence  --run_verdict-->  verdict
 *
 * What a run gained is what audits measured, plus what is believed of versions
 * that no audit came to (measure/expected_gain.h). The latter counts by as much
 * as came true of what was believed and measured in this program. What a run
 * cost is the part of libcof's own CPU time and of its builds that the program
 * waited for. A build that the host caches serves later runs too, and costs
 * each an eighth.
 *
 * Pure, as run_verdict.h is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "history/store/record.h"

struct cof_opts;

struct cof_history_rules {
	uint32_t retry_runs;	/* runs off before another try */
	int64_t  short_ns;	/* CPU time a run must have to repay */
	uint32_t short_loops;	/* runs with the loop on, until shorter ones
				 * must have repaid */
	int64_t  gain_permille;	/* a net gain below this counts as none */
};

/*
 * What the verdict rests on: runs with this CPU and this libcof, unless it says
 * otherwise. "Judged" are the newest long runs with the loop on, at most
 * history_agreeing_runs of them (options/tuning.h). CPU times are in ns.
 */
struct cof_run_evidence {
	/* All runs. */
	uint32_t runs;		/* remembered */
	uint32_t others;	/* not looked at: other CPU or libcof */
	uint32_t loops;		/* of runs: with the loop on */
	uint32_t sampled;	/* of loops, those with samples */
	uint32_t since_loop;	/* runs since the newest of loops */
	uint32_t recent;	/* the newest, at most history_recent_runs */
	int64_t  longest_ns;	/* CPU time of the longest recent run */
	uint32_t repaid;	/* of recent: measured gains alone repaid */
	int64_t  typical_ns;	/* median CPU time of all runs */
	int64_t  used_ns;	/* of loops: sum of CPU time without libcof */
	int64_t  built_ns;	/* of loops: sum of CPU time of builds */

	/* Medians of CPU times, each of the newest that ended in order, at most
	 * history_recent_runs; 0: none. */
	int64_t  with_libcof_ns; /* of loops that knew something: of the
				 * program, and what libcof cost it */
	int64_t  off_ns;	/* of runs that were off */
	int64_t  unknowing_ns;	/* of the one that knew nothing, without what it
				 * waited for */

	/* The judged. */
	uint32_t judged;	/* their number */
	int64_t  measured_ns;	/* sum saved, as measured */
	int64_t  untried_ns;	/* sum believed to be saved, not measured */
	int64_t  own_ns, build_ns;	/* sums spent */
	int64_t  paid_ns;	/* of these: the program waited for it */
	int64_t  once_ns;	/* of paid_ns: for what the host caches */
	uint32_t truth_permille; /* by which untried_ns counts */
	int64_t  guest_ns;	/* sum of CPU time without libcof, while the
				 * loop ran */
	int64_t  judged_ns;	/* CPU time of the longest */
	int64_t  best_permille;	/* highest net gain of one, of that time */

	/* The known hot set. */
	uint32_t hot;		/* methods */
	uint32_t hot_permille;	/* their share of samples in known code */
	uint32_t profiles;	/* of hot: with a profile */

	/* The judged, one by one. */
	int64_t  promised_permille; /* most that one was promised, believed or
				     * not */
	int64_t  saved_permille; /* most that one was measured to save, without
				  * what it cost */
	int64_t  unsure_permille; /* most that one may have gained unmeasured */
	int64_t  fastest_ns;	/* guest_ns of the fastest */
	int64_t  slowest_ns;	/* guest_ns of the slowest */
	int64_t  with_ns;	/* guest_ns of the fastest that had from its
				 * start what it is believed to gain; 0: none */
	uint32_t whole;		/* how many ended in order */
	uint32_t open_permille;	/* samples in hot methods for which nothing was
				 * built nor refused, in the one that came
				 * furthest */

	/* Long runs that were off. */
	uint32_t alone;		/* the newest, at most history_agreeing_runs */
	int64_t  alone_ns;	/* CPU time of the fastest of these that ended
				 * in order and is like the judged, give or take
				 * what they were promised to save; 0: none */

	/* The run that knew nothing. */
	int64_t  first_ns;	/* its guest_ns, less what it waited for, if it
				 * ended in order and is like the judged, as
				 * above; 0: none is remembered */
};

/* Set the rules from options. `is_finished`: as of the host. */
void cof_history_rules(struct cof_history_rules *rules,
		       const struct cof_opts *opts, bool is_finished);

/* Sum `past` up. It has at least its runs; NULL or empty: there are none.
 * `libcof` and `cpu` are those of this run. */
void cof_history_run_evidence(const struct cof_history_past *past,
			      const char *libcof, const char *cpu,
			      const struct cof_history_rules *rules,
			      struct cof_run_evidence *out);

/* Net gain of a run, in thousandths of the program's CPU time with the loop.
 * `truth_permille`: as in the evidence. */
int64_t cof_history_net_permille(const struct cof_history_run *run,
				 uint32_t truth_permille);

/* CPU time of a run that was not libcof's. */
int64_t cof_history_guest_ns(const struct cof_history_run *run);

/* The part of it in which the loop ran: a run that mode auto was off in may
 * have begun it late. */
int64_t cof_history_loop_ns(const struct cof_history_run *run);

/* Is the method hot, and its latest version not rolled back? `samples`: of the
 * runs that its samples are of. */
bool cof_history_is_hot(const struct cof_history_method *method,
			int64_t samples);

/* Is the method of the hot set, to be looked at at once? It is if it is hot,
 * or if it ran and has a profile: then it was hot once, and may be built
 * already. */
bool cof_history_is_known(const struct cof_history_method *method,
			  int64_t samples);

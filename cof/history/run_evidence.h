/*
 * run_evidence.h - from a program's past to the evidence that run_verdict.h decides by
 *
 *	remembered runs  --weigh-->  evidence  --decide-->  verdict
 *
 * What a run gained is what audits measured, plus what is believed of versions that no
 * audit came to (measure/expected_gain.h): by as much as was true of what was believed and
 * measured, in this program. What it cost is the part of libcof's own CPU time and of
 * its builds that the program waited for; a build that the host keeps is for later runs
 * too, and costs each an eighth.
 *
 * Pure, as run_verdict.h is.
 */
#ifndef COF_HISTORY_RUN_EVIDENCE_H
#define COF_HISTORY_RUN_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "history/store/record.h"

struct cof_opts;

struct cof_history_rules {
	uint32_t retry_runs;		/* runs off before another try */
	int64_t  short_ns;		/* CPU time a run must have to repay */
	int64_t  gain_permille;		/* net gain below which it is none */
};

/* What the verdict rests on. Of runs with this CPU and this libcof, if nothing
 * else is said. */
struct cof_run_evidence {
	uint32_t runs;		/* remembered */
	uint32_t others;	/* not looked at: other CPU or libcof */
	uint32_t loops;		/* of runs: with the loop on */
	uint32_t since_loop;	/* runs since the newest of these */
	uint32_t recent;	/* how many there are of the newest RECENT */
	int64_t  longest_ns;	/* CPU time: the longest of these */
	uint32_t repaid;	/* of these, gained by what was measured */
	int64_t  typical_ns;	/* CPU time: median of all runs */
	uint32_t judged;	/* long runs with the loop on, newest LOOPS */
	int64_t  measured_ns;	/* of these, sums: saved, */
	int64_t  untried_ns;	/* believed, */
	int64_t  own_ns, build_ns;	/* spent, */
	int64_t  paid_ns;	/* and what of it the program waited for; */
	int64_t  once_ns;	/* of this, for what the host keeps */
	uint32_t truth_permille; /* by which what was not measured counts */
	int64_t  guest_ns;	/* CPU time without libcof */
	int64_t  judged_ns;	/* CPU time: the longest of these */
	int64_t  best_permille;	/* the best one's net gain in its guest_ns */
	uint32_t hot;		/* methods in the known hot set */
	uint32_t hot_permille;	/* their share of samples in known code */
	uint32_t profiles;	/* of these, with a profile */
	int64_t  promised_permille; /* of the judged, the most that was promised,
				     * believed or not */
	int64_t  saved_permille; /* of the judged, the most that was measured to
				  * be saved, without what it cost */
	int64_t  unsure_permille; /* of the judged, the most that may have been
				 * gained and was not measured */
	int64_t  fastest_ns;	/* of the judged, the guest_ns of the fastest */
	int64_t  slowest_ns;	/* and of the slowest; */
	int64_t  with_ns;	/* of those that had from the start what they are
				 * believed to gain, of the fastest; 0: none */
	uint32_t whole;		/* of the judged, those that ended in order */
	uint32_t alone;		/* long runs that were off, newest LOOPS; */
	int64_t  alone_ns;	/* CPU time of the fastest of these that ended in
				 * order and is like the judged, give or take what
				 * they were promised to save; 0: none */
	uint32_t open_permille;	/* of the samples, what is of hot methods for
				 * which nothing was built, nor refused, in that
				 * one of the judged that came furthest */
};

void cof_history_rules(struct cof_history_rules *rules,
		       const struct cof_opts *opts);

/* `past` has at least its runs; NULL or empty: there are none. */
void cof_history_run_evidence(const struct cof_history_past *past,
		       const char *libcof, const char *cpu,
		       const struct cof_history_rules *rules,
		       struct cof_run_evidence *out);

/* Net gain of a run, in thousandths of the CPU time that was the program's; with
 * the truth_permille of the evidence. */
int64_t cof_history_net_permille(const struct cof_history_run *run,
				 uint32_t truth_permille);

/* CPU time of a run that was not libcof's. */
int64_t cof_history_guest_ns(const struct cof_history_run *run);

/* Hot, and nothing better than what it ran in was tried and taken back? */
bool cof_history_is_hot(const struct cof_history_method *method,
			int64_t samples);

/* Is this method of the hot set, to be looked at at once? Hot, or it ran and has a
 * profile: then it was hot once, and may be built already. */
bool cof_history_is_known(const struct cof_history_method *method,
			  int64_t samples);

#endif /* COF_HISTORY_RUN_EVIDENCE_H */

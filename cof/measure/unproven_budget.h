/*
 * unproven_budget.h - what builds may cost before any of them has helped
 *
 * A short run ends before it knows whether its builds help. So until something
 * is proven they take at most a part of the program's CPU time; what does not
 * fit is left to option auto_finish, or to a later run. A gain is proven by a
 * trial, of this run or of an earlier one, or by earlier runs as a whole.
 *
 *	may spend  part * max(CPU time so far, CPU time of runs as a rule)
 *	saved      part * CPU time of earlier runs, less what builds took there:
 *	           else what takes more than a run's part would never be built;
 *	           but no more than the run is likely to last, as what it does
 *	           not finish is lost
 *	spent      CPU time of builds that have ended, the expected time of
 *	           those that are queued, and what counting costs
 *
 * Once a gain is proven there is no limit. But if what a run leaves is built
 * after it, the run saves nothing for others, and as long as it has not lasted
 * longer than runs as a rule there is one: it may spend in addition what is
 * proven to be saved. The next run gains by what is built from its start on.
 *
 * Pure. Owner: P/O.
 */
#pragma once

#include <stdbool.h>

/* The program's earlier runs. Zero: none is known. CPU time. */
struct cof_unproven_past {
	double typical_ns;	/* of the program, in a run as a rule */
	double used_ns;		/* of the program, in all of them */
	double built_ns;	/* of builds, in all of them */
	bool   gained;		/* some were faster by what was built */
	bool   finished;	/* what a run leaves is built after it */
};

/* CPU time. */
struct cof_unproven_budget {
	bool   proven;		/* a version was faster, or earlier runs were */
	double known_part;	/* of the program's time, saved by versions
				 * that earlier runs measured */
	double saved_part;	/* the same, that this run did */
	bool   built;		/* a build was queued in this run */
	double spent_ns;	/* by builds that have ended, and counting */
	double counted_ns;	/* of these, by counting */
	double queued_ns;	/* expected of those that have not */
	struct cof_unproven_past past;
};

/* How much more may be spent on builds, at least 0, in a program that has used
 * `program_ns` so far; INFINITY: there is no limit. */
double cof_unproven_budget_left(const struct cof_unproven_budget *budget,
				double part, double program_ns);

/* A build was queued that is expected to take `expected_ns`. */
void cof_unproven_budget_queue(struct cof_unproven_budget *budget,
			       double expected_ns);

/* It has ended, and took `took_ns`. */
void cof_unproven_budget_end(struct cof_unproven_budget *budget,
			     double expected_ns, double took_ns);

/* What is known of earlier runs. */
void cof_unproven_budget_past(struct cof_unproven_budget *budget,
			      const struct cof_unproven_past *past);

/* Methods count, which costs about `ns`. */
void cof_unproven_budget_counted(struct cof_unproven_budget *budget, double ns);

/*
 * How much more counting may cost: of all that may be spent its share, since
 * all of the program waits for it, and nobody for a build. INFINITY also while
 * nobody knows how long the program runs: in a long run that is little, and
 * what is counted in a moment is no profile of it.
 */
double cof_unproven_budget_counting_left(
	const struct cof_unproven_budget *budget, double part,
	double program_ns);

/* A version was measured to be `speedup` times as fast as the one before, in
 * which the program spent `share` of its time; in an earlier run: _known. A
 * method may be measured again, so the larger of the two sums counts. */
void cof_unproven_budget_learn(struct cof_unproven_budget *budget,
			       double speedup, double share);
void cof_unproven_budget_known(struct cof_unproven_budget *budget,
			       double speedup, double share);

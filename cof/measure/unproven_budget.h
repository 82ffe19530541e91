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
 *	spent      CPU time of builds that have ended, and the expected time of
 *	           those that are queued
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
};

/* CPU time. */
struct cof_unproven_budget {
	bool   proven;		/* there is no limit any more */
	double spent_ns;	/* by builds that have ended */
	double queued_ns;	/* expected of those that have not */
	struct cof_unproven_past past;
};

/* How much more may be spent, at least 0, in a program that has used
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

/* A version was measured to be `speedup` times as fast as the one before. */
void cof_unproven_budget_learn(struct cof_unproven_budget *budget,
			       double speedup);

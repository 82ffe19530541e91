/*
 * reprofile_budget.h - what counting a method again may cost
 *
 * No host can say what a second profile of a method brings, and a trial of it
 * may take longer than its phase lasts. So all builds with a second profile
 * share one budget for the run:
 *
 *	comes in    reprofile_free_ms, a part of the program's CPU time, and what trials of second profiles showed to be
 *	            gained; in earlier runs too, if the host cached the version
 *	goes out    what such builds are expected to take
 *
 * Pure. Owner: P/O.
 */
#ifndef COF_MEASURE_REPROFILE_BUDGET_H
#define COF_MEASURE_REPROFILE_BUDGET_H

#include <stdbool.h>

/* CPU time. */
struct cof_reprofile_budget {
	double spent_ns, gained_ns;
};

/* May a build that is expected to take `cost_ns` begin, in a program that has
 * used `program_ns` so far? */
bool cof_reprofile_budget_affords(const struct cof_reprofile_budget *budget,
				  double cost_ns, double program_ns);

/* A build was picked that is expected to take `cost_ns`. */
void cof_reprofile_budget_spend(struct cof_reprofile_budget *budget,
				double cost_ns);

/* A version with a second profile is `speedup` times as fast as the one before,
 * and the program is expected to spend `ns` more in what it replaced. */
void cof_reprofile_budget_learn(struct cof_reprofile_budget *budget,
				double speedup, double ns);

#endif /* COF_MEASURE_REPROFILE_BUDGET_H */

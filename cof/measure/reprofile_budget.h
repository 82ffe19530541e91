/*
 * reprofile_budget.h - what second profiles of methods may cost in a run
 *
 * No host can predict the gain of a method's second profile, and a trial of it
 * may take longer than its phase lasts. So all builds with a second profile
 * share one budget for the run:
 *
 *	income     reprofile_free_ms
 *	           reprofile_part of the program's CPU time
 *	           the gains that trials of second profiles showed, also in
 *	           earlier runs if the host cached the version
 *	spending   the expected time of such builds
 *
 * Pure. Owner: P/O.
 */
#pragma once

#include <stdbool.h>

/* CPU time. */
struct cof_reprofile_budget {
	double spent_ns, gained_ns;
};

/* May a build begin that is expected to take `cost_ns`, in a program that has
 * used `program_ns` of CPU time so far? */
bool cof_reprofile_budget_affords(const struct cof_reprofile_budget *budget,
				  double cost_ns, double program_ns);

/* A build was picked that is expected to take `cost_ns`. */
void cof_reprofile_budget_spend(struct cof_reprofile_budget *budget,
				double cost_ns);

/* A version with a second profile is `speedup` times as fast as the one before,
 * and the program is expected to spend `ns` more in what it replaced. */
void cof_reprofile_budget_learn(struct cof_reprofile_budget *budget,
				double speedup, double ns);

/*
 * trial_budget.h - what trials may cost the program, and have cost so far
 *
 *	comes in    option audit_permille of the program's CPU time while
 *	            anything is on trial, and 20 ms at first
 *	goes out    entries that were counted; time in a new version that looks
 *	            slower, or in one to which earlier runs proved the new one
 *	            superior
 *
 *	half of it is spent for entries   nothing is counted, turns go on
 *	all of it is spent                trials rest: no turns, no thunks,
 *	                                  callers go straight to the version
 *	                                  that looks better
 *
 * So a trial that takes long to decide takes its turns slowly, and the program
 * hardly notices. A trial ends if counting its entries costs more than its
 * verdict could gain (trial_verdict.h).
 *
 * Pure. Owner: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof_trial_budget {
	double part;			/* of the program's time */
	double program_ns, count_ns, lost_ns;	/* in all */
};

/* The program took cpu_ns more. */
void cof_trial_budget_pass(struct cof_trial_budget *budget, uint64_t cpu_ns);

/* `entries` were counted. `many`: several threads ran at once. Returns
 * what that cost, ns. */
double cof_trial_budget_count(struct cof_trial_budget *budget, uint64_t entries,
			      bool many);

/* How many entries may be counted for ever in as much time of the program. */
double cof_trial_budget_affords(const struct cof_trial_budget *budget,
				uint64_t cpu_ns, bool many);

/* The program lost `ns` in the version that is slower. */
void cof_trial_budget_lose(struct cof_trial_budget *budget, double ns);

bool cof_trial_budget_may_count(const struct cof_trial_budget *budget);
bool cof_trial_budget_may_turn(const struct cof_trial_budget *budget);

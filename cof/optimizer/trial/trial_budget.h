/*
 * trial_budget.h - what trials may cost the program, and what they have cost so far
 *
 *	comes in    option audit_permille of the program's CPU time while anything
 *	            is on trial, and 20 ms at first
 *	goes out    entries that were counted; time in a new version that looks slower
 *
 *	half of it was spent for entries    nothing is counted for now, turns go on
 *	all of it was spent                 trials rest: no turns, no pads, callers go
 *	                                    straight to the version that looks better
 *
 * So what is slow to tell is told slowly, and the program hardly notices. A trial
 * whose entries cost more to count than its verdict could gain ends (trial_verdict.h).
 *
 * Pure.
 */
#ifndef COF_OPTIMIZER_TRIAL_TRIAL_BUDGET_H
#define COF_OPTIMIZER_TRIAL_TRIAL_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct cof_trial_budget {
	double part;			/* of the program's time */
	double program_ns, count_ns, lost_ns;
};

/* The program went on. */
void cof_trial_budget_pass(struct cof_trial_budget *purse, uint64_t cpu_ns);

/* So many entries were counted, while there was one thread, or more. Returns what
 * that cost, ns. */
double cof_trial_budget_count(struct cof_trial_budget *purse, uint64_t entries, bool many);

/* So much was lost in a new version that looks slower. */
void cof_trial_budget_lose(struct cof_trial_budget *purse, double ns);

bool cof_trial_budget_may_count(const struct cof_trial_budget *purse);
bool cof_trial_budget_may_turn(const struct cof_trial_budget *purse);

#endif /* COF_OPTIMIZER_TRIAL_TRIAL_BUDGET_H */

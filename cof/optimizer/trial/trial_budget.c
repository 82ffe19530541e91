/*
 * trial_budget.c - see trial_budget.h
 */
#include "optimizer/trial/trial_budget.h"

#include "options/tuning.h"

/*
 * An entry that is counted: a jump more and one increment in memory. 0.95 ns where
 * the program calls back to back, nothing where it waits for something else; if
 * several threads fight for the cache line, what that takes to come over.
 */
static double entry_ns(bool many)
{
	return many ? COF_TUNE(trial_count_shared_ns) :
		      COF_TUNE(trial_count_ns);
}

static double income(const struct cof_trial_budget *p)
{
	return COF_TUNE(trial_budget_first_ms) * 1e6 + p->part * p->program_ns;
}

void cof_trial_budget_pass(struct cof_trial_budget *p, uint64_t cpu_ns)
{
	p->program_ns += (double)cpu_ns;
}

double cof_trial_budget_count(struct cof_trial_budget *p, uint64_t entries, bool many)
{
	double ns = (double)entries * entry_ns(many);

	p->count_ns += ns;
	return ns;
}

void cof_trial_budget_lose(struct cof_trial_budget *p, double ns)
{
	p->lost_ns += ns;
}

bool cof_trial_budget_may_count(const struct cof_trial_budget *p)
{
	return p->count_ns <= income(p) / 2 && cof_trial_budget_may_turn(p);
}

bool cof_trial_budget_may_turn(const struct cof_trial_budget *p)
{
	return p->count_ns + p->lost_ns <= income(p);
}

/*
 * trial_budget.c - see trial_budget.h
 */
#include "optimizer/trial/trial_budget.h"

#include "options/tuning.h"

/*
 * The cost of counting an entry: one more jump, and one increment in memory.
 *
 *	one thread, back-to-back calls        0.95 ns
 *	one thread that waits for other work  nothing
 *	several threads                       the transfer of the cache line
 */
static double entry_ns(bool many)
{
	return many ? COF_TUNE(trial_count_shared_ns) :
		      COF_TUNE(trial_count_ns);
}

static double income(const struct cof_trial_budget *b)
{
	return COF_TUNE(trial_budget_first_ms) * 1e6 + b->part * b->program_ns;
}

void cof_trial_budget_pass(struct cof_trial_budget *b, uint64_t cpu_ns)
{
	b->program_ns += (double)cpu_ns;
}

double cof_trial_budget_count(struct cof_trial_budget *b, uint64_t entries,
			      bool many)
{
	double ns = (double)entries * entry_ns(many);

	b->count_ns += ns;
	return ns;
}

double cof_trial_budget_affords(const struct cof_trial_budget *b,
				uint64_t cpu_ns, bool many)
{
	return b->part * (double)cpu_ns / 2 / entry_ns(many);
}

void cof_trial_budget_lose(struct cof_trial_budget *b, double ns)
{
	b->lost_ns += ns;
}

bool cof_trial_budget_may_count(const struct cof_trial_budget *b)
{
	return b->count_ns <= income(b) / 2 && cof_trial_budget_may_turn(b);
}

bool cof_trial_budget_may_turn(const struct cof_trial_budget *b)
{
	return b->count_ns + b->lost_ns <= income(b);
}

/*
 * purse.c - see purse.h
 */
#include "optimizer/purse.h"

#define FIRST_NS 2e7

/*
 * An entry that is counted: a jump more and one increment in memory. 0.95 ns where
 * the program calls back to back, nothing where it waits for something else; if
 * several threads fight for the cache line, what that takes to come over.
 */
#define ONE_NS   1.0
#define MANY_NS 20.0

static double income(const struct cof_purse *p)
{
	return FIRST_NS + p->part * p->program_ns;
}

void cof_purse_pass(struct cof_purse *p, uint64_t cpu_ns)
{
	p->program_ns += (double)cpu_ns;
}

double cof_purse_count(struct cof_purse *p, uint64_t entries, bool many)
{
	double ns = (double)entries * (many ? MANY_NS : ONE_NS);

	p->count_ns += ns;
	return ns;
}

void cof_purse_lose(struct cof_purse *p, double ns)
{
	p->lost_ns += ns;
}

bool cof_purse_may_count(const struct cof_purse *p)
{
	return p->count_ns <= income(p) / 2 && cof_purse_may_turn(p);
}

bool cof_purse_may_turn(const struct cof_purse *p)
{
	return p->count_ns + p->lost_ns <= income(p);
}

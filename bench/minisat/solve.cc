/*
 * solve.cc - MiniSat on made-up instances: main() of the program `minisat`
 *
 *	minisat ROUNDS
 *
 * Each round has the same instances: random 3-SAT near the threshold, of which
 * some have a solution, and a pigeonhole problem. It prints a line on the
 * search, which is the same in every run.
 */
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "minisat/core/Solver.h"

using namespace Minisat;

namespace {

uint32_t state;

uint32_t draw(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return uint32_t(uint64_t(state >> 8) * n >> 24);
}

struct Sum {
	uint64_t conflicts, propagations;
	int      solved;
};

void solve(Solver &solver, Sum *sum)
{
	solver.verbosity = 0;
	sum->solved += solver.solve();
	sum->conflicts += solver.conflicts;
	sum->propagations += solver.propagations;
}

/* Three different variables a clause, 4.26 clauses a variable. */
void random_3sat(uint32_t seed, uint32_t variables, Sum *sum)
{
	Solver solver;
	vec<Lit> clause;

	state = seed;
	for (uint32_t i = 0; i < variables; i++)
		solver.newVar();
	for (uint32_t i = 0; i < variables * 426 / 100; i++) {
		uint32_t v[3];

		v[0] = draw(variables);
		do
			v[1] = draw(variables);
		while (v[1] == v[0]);
		do
			v[2] = draw(variables);
		while (v[2] == v[0] || v[2] == v[1]);
		clause.clear();
		for (uint32_t k = 0; k < 3; k++)
			clause.push(mkLit(Var(v[k]), draw(2) != 0));
		solver.addClause(clause);
	}
	solve(solver, sum);
}

/* holes + 1 pigeons do not fit into the holes. */
void pigeonhole(int holes, Sum *sum)
{
	Solver solver;
	vec<Lit> clause;

	for (int i = 0; i < (holes + 1) * holes; i++)
		solver.newVar();
	for (int p = 0; p <= holes; p++) {
		clause.clear();
		for (int h = 0; h < holes; h++)
			clause.push(mkLit(p * holes + h));
		solver.addClause(clause);
	}
	for (int h = 0; h < holes; h++)
		for (int p = 0; p <= holes; p++)
			for (int q = 0; q < p; q++)
				solver.addClause(~mkLit(p * holes + h),
						 ~mkLit(q * holes + h));
	solve(solver, sum);
}

} // namespace

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], nullptr, 10) : 0;

	if (rounds == 0) {
		fputs("usage: minisat ROUNDS\n", stderr);
		return 2;
	}
	for (unsigned long r = 0; r < rounds; r++) {
		Sum sum = { 0, 0, 0 };

		for (uint32_t seed = 1; seed <= 4; seed++)
			random_3sat(seed * 7919, 120, &sum);
		pigeonhole(6, &sum);
		printf("%d solved, %" PRIu64 " conflicts, %" PRIu64
		       " propagations\n", sum.solved, sum.conflicts,
		       sum.propagations);
		fflush(stdout);
	}
	return 0;
}

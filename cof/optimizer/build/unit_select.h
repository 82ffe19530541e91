/*
 * unit_select.h - select the full methods that are built as one unit
 *
 * Methods that are hot at the same time usually call each other. Built together
 * they gain more: direct calls, bodies inlined with the profiles of both, code
 * side by side. A unit consists of methods that became full in the same phase.
 * It is taken once no other method may join it soon. The hottest come first,
 * within limits on number and cost.
 *
 * A method that exceeds the cost limit alone is a unit of its own. Heat alone
 * does not put it first: the unit with the higher gain per cost goes first (W.
 * E. Smith, Naval Res. Logist. Q. 3, 1956). So an interpreter's loop does not
 * keep twenty small methods waiting, and it is built with the profiles of the
 * methods that are inlined in it.
 *
 * Pure. Owner: P/O.
 */
#pragma once

#include <stdint.h>

/* A full method. */
struct cof_candidate {
	void    *key;		/* the caller's */
	uint64_t phase;		/* in which it was picked */
	uint64_t since;		/* generation in which it became full */
	double   heat;
	uint64_t expected_ns;	/* of its build alone, CPU time */
};

struct cof_unit_limits {
	uint32_t methods;	/* most in a unit; 1: no units */
	uint64_t ns;		/* most expected CPU time of a unit; a method
				 * that exceeds it is built alone */
	uint32_t wait;		/* generations to wait for methods that are
				 * still coming; without any it is 1 */
};

/*
 * Select a unit from `all`, move it to the front, and return its size; 0: wait.
 * `coming`: how many methods within the cost limit may still join in `phase`.
 */
uint32_t cof_unit_select(struct cof_candidate *all, uint32_t n,
			 uint32_t coming, uint64_t phase, uint64_t generation,
			 const struct cof_unit_limits *limits);

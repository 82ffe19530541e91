/*
 * unit_select.h - which methods that are full are built as one unit
 *
 * Methods that were hot at the same time call each other, as a rule, so built
 * together they gain more: direct calls, bodies inlined with the profiles of
 * both, code side by side. A unit is taken from those that became full in the
 * same phase, once there is none left that may still join it soon, and the
 * hottest come first, within limits on its number and cost.
 *
 * One that is beyond the limit on cost alone is a unit of its own. It is not
 * before the others for being the hottest: what brings more for its cost is (W.
 * E. Smith, Naval Res. Logist. Q. 3, 1956). So an interpreter's loop does not keep
 * twenty small methods waiting, and is built with the profiles of those that are
 * inlined in it.
 *
 * Pure. Owner: P/O.
 */
#ifndef COF_OPTIMIZER_BUILD_UNIT_SELECT_H
#define COF_OPTIMIZER_BUILD_UNIT_SELECT_H

#include <stdbool.h>
#include <stdint.h>

/* One that is full. */
struct cof_candidate {
	void    *key;		/* the caller's */
	uint64_t phase;		/* in which it was picked */
	uint64_t since;		/* generation in which it became full */
	double   heat;
	uint64_t expected_ns;	/* of its build alone, CPU time */
};

struct cof_unit_limits {
	uint32_t methods;	/* most in a unit; 1: no units */
	uint64_t ns;		/* most a unit of several may be expected to
				 * take; what takes more goes alone */
	uint32_t wait;		/* generations to wait for others that are known
				 * to come; 1 if there are none */
};

/*
 * Take a unit out of `all`: it is moved to the front, and its number returned.
 * 0: wait. `coming`: how many within the limit may still join in this phase.
 */
uint32_t cof_unit_select(struct cof_candidate *all, uint32_t n,
			uint32_t coming, uint64_t phase, uint64_t generation,
			const struct cof_unit_limits *limits);

#endif /* COF_OPTIMIZER_BUILD_UNIT_SELECT_H */

/*
 * program.h - a program drawn from a family: methods, phases, when each comes
 *
 * A phase has the methods that are hot in it, and the kind of data that each
 * works on. The order of work depends on the work done so far and never on how
 * fast it was, so every run of a program does the same.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "bench/stepped/family.h"
#include "bench/stepped/method.h"

#define METHODS_MOST  256u
#define PHASES_MOST   16u
#define STRETCHES_MOST 1024u	/* of time, each in one phase */

struct phase {
	double  until[METHODS_MOST];	/* sums of the chances to be next */
	uint8_t kind[METHODS_MOST];
};

struct program {
	const struct family *family;
	uint64_t random;
	uint32_t n_methods, n_phases, n_stretches;
	bool     wild;		/* methods come at random, not in turn */
	struct method method[METHODS_MOST];
	struct phase  phase[PHASES_MOST];
	struct {
		double   until_ns;	/* of work */
		uint32_t phase;
	} stretch[STRETCHES_MOST];
};

void program_draw(struct program *program, const struct family *family,
		  uint64_t seed);

/* Time of a call at tier 0, with its callee's, in ns. */
double program_work(const struct method *method);

/* From 0 to below 1; and from lo to hi, evenly or by the logarithm. */
static inline double draw(uint64_t *random)
{
	return (double)(cof_random_next(random) >> 11) / 0x1p53;
}

double draw_in(uint64_t *random, struct range range);
double draw_log(uint64_t *random, struct range range);

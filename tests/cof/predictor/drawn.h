/*
 * drawn.h - random samples of programs with known phases, for tests of phase.h
 *
 * Samples fall on methods, and within them on code buckets, by fixed chances. A
 * generation has 50 of them, as with 250 samples a second, or fewer on a busy
 * machine.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#include "predictor/phase.h"

#define METHODS 12
#define SAME    700	/* option phase_permille, its default */

/* The chances of methods. `half`: 1 samples are in the method's first half, 2
 * in its second, 0 in both. */
struct mix {
	uint8_t chance[METHODS];
	uint8_t half[METHODS];
};

static struct cof_phase_table table;
static const char             method[METHODS];	/* only their addresses */
static uint64_t               state;

static uint32_t draw(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 33) % n);
}

static int setup(void **unused)
{
	(void)unused;
	memset(&table, 0, sizeof(table));
	state = 1;
	return 0;
}

static void add(struct cof_phase_signature_sample *s, const struct mix *mix,
		uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t m = 0; m < METHODS; m++)
		sum += mix->chance[m];
	while (n-- > 0) {
		uint32_t at = draw(sum), m = 0, buckets;

		for (; at >= mix->chance[m]; m++)
			at -= mix->chance[m];
		buckets = COF_CODE_BUCKETS / (mix->half[m] ? 2 : 1);
		s[m].calls++;
		s[m].bucket[draw(buckets) +
			    (mix->half[m] == 2 ? buckets : 0)]++;
	}
}

/* As bench/synthetic/invert.c: one method has half of the samples in both. */
static const struct mix invert[] = {
	{ { 50, 30, 12, 8 }, { 0 } },
	{ { 50, 0, 0, 0, 30, 12, 8 }, { 0 } },
};

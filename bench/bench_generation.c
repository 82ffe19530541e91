/*
 * bench_generation.c - ns per generation of the predictor
 *
 * Only active versions cost time. In each generation `active` versions, spread
 * over all loaded ones, get samples; that is not timed. All that PRE does then
 * is timed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "options/opts.h"
#include "predictor/generation.h"
#include "code/version.h"

#define LOADED_MAX 1000000u
#define WORK       3000000u	/* folds per line, about */

static struct cof_opts     opts;
static struct cof_version *version;
static struct cof_version *touched[LOADED_MAX];
static struct cof_method   method;

static void sample(uint32_t loaded, uint32_t active)
{
	for (uint32_t i = 0; i < active; i++) {
		struct cof_version *v = &version[(uint64_t)i * loaded / active];

		atomic_fetch_add(&v->word,
				 (uint64_t)(2 + rand() % 30) << 32);
		touched[i] = v;
	}
}

static void bench(uint32_t loaded, uint32_t active)
{
	uint32_t turns = 6 + WORK / (active + 1000);
	uint64_t ns = 0, weighed = 0;
	struct cof_generation turn;

	for (uint32_t i = 0; i < loaded; i++)
		version[i] = (struct cof_version){ .method = &method };
	cof_generation_init(&turn);
	for (uint32_t g = 1; g <= turns; g++) {
		uint64_t start;

		sample(loaded, active);
		start = cof_clock_ns();
		cof_generation_begin(&turn, g, &opts);
		cof_generation_touch(&turn, touched, active, &opts);
		cof_generation_end(&turn, &opts);
		if (g > 3) {
			ns += cof_clock_ns() - start;
			weighed += turn.weighed;
		}
	}
	turns -= 3;
	printf("{\"bench\":\"generation\",\"loaded\":%u,\"active\":%u,"
	       "\"ns\":%.0f,\"weighed\":%.0f,\"ns_per_active\":%.1f}\n",
	       loaded, active, (double)ns / turns, (double)weighed / turns,
	       (double)ns / turns / active);
	fflush(stdout);
	cof_generation_free(&turn);
}

int main(void)
{
	cof_opts_init(&opts);
	version = calloc(LOADED_MAX, sizeof(*version));
	if (!version)
		return 1;
	for (uint32_t loaded = 1000; loaded <= LOADED_MAX; loaded *= 10)
		for (uint32_t active = 100; active <= loaded; active *= 10)
			bench(loaded, active);
	free(version);
	return 0;
}

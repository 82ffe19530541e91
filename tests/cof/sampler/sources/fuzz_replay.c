/*
 * fuzz_replay.c - libFuzzer target: any text as a file of samples (make fuzz)
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sampler/sources/replay.h"
#include "tests/support/fuzz.h"

#define TURNS 3u	/* of a replay, a second apart */

static uint64_t find(void *arg, const char *name)
{
	(void)arg;
	return name[0] == 'f' ? 0x1000 : 0;
}

static void take(void *arg, const uint64_t *words, uint64_t n)
{
	uint64_t *sum = arg;

	for (uint64_t i = 0; i < n; i++)
		*sum += words[i];
}

/* A line may ask for more samples than there is time for. */
static uint64_t samples_of(const struct cof_replay *r)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (__builtin_add_overflow(n, r->step[i].count, &n))
			return UINT64_MAX;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cof_replay r;
	char why[160] = "";
	uint64_t sum = 0;
	FILE *from;

	if (size == 0 || !(from = fmemopen((void *)(uintptr_t)data, size, "r")))
		return 0;
	if (cof_replay_parse(&r, from, why, sizeof(why)) != 0) {
		if (why[0] == '\0')
			abort();
	} else {
		fuzz_valid();
		for (uint64_t t = 1; t <= TURNS && samples_of(&r) < 10000; t++)
			cof_replay_run(&r, t * 1000000000u, find, NULL, take,
				       &sum);
		cof_replay_free(&r);
	}
	fclose(from);
	return 0;
}

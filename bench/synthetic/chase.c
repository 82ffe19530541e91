/*
 * chase.c - a program that cannot gain
 *
 *	chase CYCLES
 *
 * It follows a chain through a table larger than any cache. Each step needs the
 * address that the step before loaded. So all time goes to memory, and no
 * compiler can help. A cycle takes somewhat over a second, and prints a line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM  (UINT32_C(1) << 24)	/* 64 MB */
#define STEPS 8000000u

static uint32_t next[ROOM];

/* One ring through all entries, in random order (Sattolo 1986). */
static void shuffle(void)
{
	uint64_t state = 88172645463325252u;

	for (uint32_t i = 0; i < ROOM; i++)
		next[i] = i;
	for (uint32_t i = ROOM - 1; i > 0; i--) {
		uint32_t t = next[i], j;

		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		j = (uint32_t)(state % i);
		next[i] = next[j];
		next[j] = t;
	}
}

int main(int argc, char **argv)
{
	unsigned long cycles = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	uint32_t at = 0;

	shuffle();
	while (cycles-- > 0) {
		for (uint32_t i = 0; i < STEPS; i++)
			at = next[at];
		printf("%" PRIu32 "\n", at);
		fflush(stdout);
	}
	return 0;
}

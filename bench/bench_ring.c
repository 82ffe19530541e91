/*
 * bench_ring.c - the cost of pushing and popping a record, on one thread
 */
#include <stdio.h>

#include "base/clock.h"
#include "base/ring.h"

#define ROUNDS 20000u
#define BATCH  100u
#define WORDS  1024u

static uint64_t word[WORDS];

static void run(uint64_t n)
{
	uint64_t rec[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, out[8], sum = 0;
	uint64_t push_ns = 0, pop_ns = 0, t0, t1, t2;
	struct cof_ring ring;

	cof_ring_init(&ring, word, WORDS);
	for (uint64_t r = 0; r < ROUNDS; r++) {
		t0 = cof_clock_ns();
		for (uint64_t i = 0; i < BATCH; i++)
			cof_ring_push(&ring, rec, n);
		t1 = cof_clock_ns();
		for (uint64_t i = 0; i < BATCH; i++)
			sum += cof_ring_pop(&ring, out, 8) + out[n - 1];
		t2 = cof_clock_ns();
		push_ns += t1 - t0;
		pop_ns += t2 - t1;
	}
	printf("{\"bench\": \"ring\", \"words\": %llu, \"push_ns\": %.2f, "
	       "\"pop_ns\": %.2f, \"check\": %llu}\n",
	       (unsigned long long)n, (double)push_ns / (ROUNDS * BATCH),
	       (double)pop_ns / (ROUNDS * BATCH),
	       (unsigned long long)(sum / (ROUNDS * BATCH)));
}

int main(void)
{
	run(1);
	run(3);
	run(8);
	return 0;
}

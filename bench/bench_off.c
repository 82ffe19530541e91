/*
 * bench_off.c - what libcof costs a program that does not use it
 *
 * One process does the same work in turns: with an instance in mode=off, its
 * thread attached and its code called through a stub; and without one. The
 * order in a pair alternates. The ratio of the medians is the cost of mode=off.
 * noise_pct is the distance of the quartiles of the turns without an instance.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cof.h"
#include "toy.h"

#define PAIRS 15
#define CALLS 400000

static double without[PAIRS], with[PAIRS];

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Other work of the program, which a signal would delay. */
static uint64_t work(void)
{
	static volatile uint64_t sink;
	uint64_t x = sink + 1;

	for (int i = 0; i < CALLS * 100; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return sink = x;
}

static double turn(void)
{
	uint64_t t0 = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);

	work();
	return (double)(cof_clock_read(CLOCK_PROCESS_CPUTIME_ID) - t0);
}

static double turn_off(void)
{
	struct toy toy = { 0 };
	struct cof_host host = toy_host(&toy);
	struct toy_method m = { .name = "m", .turns = 64, .step = 3 };
	double ns;

	if (cof_start(&host, "mode=off,stats=none", NULL, &toy.cof) != 0 ||
	    cof_thread_attach(toy.cof, NULL, NULL) != 0 ||
	    toy_add(&toy, &m) != 0 || toy_call(&m, 5).value != 5 + 64 * 3)
		exit(1);
	ns = turn();
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	cof_free(toy.cof);
	return ns;
}

int main(void)
{
	turn();
	turn_off();
	for (int i = 0; i < PAIRS; i++) {
		if (i % 2 == 0)
			without[i] = turn();
		with[i] = turn_off();
		if (i % 2 != 0)
			without[i] = turn();
	}
	qsort(without, PAIRS, sizeof(*without), by_value);
	qsort(with, PAIRS, sizeof(*with), by_value);
	printf("{\"bench\":\"off\",\"pairs\":%d,\"without_ns\":%.0f,"
	       "\"off_ns\":%.0f,\"ratio\":%.4f,\"noise_pct\":%.2f}\n",
	       PAIRS, without[PAIRS / 2], with[PAIRS / 2],
	       with[PAIRS / 2] / without[PAIRS / 2],
	       100 * (without[PAIRS * 3 / 4] - without[PAIRS / 4]) /
		       without[PAIRS / 2]);
	return 0;
}

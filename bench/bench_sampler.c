/*
 * bench_sampler.c - the cost of sampling for the guest
 *
 * One process does the same work in turns, with its thread sampled and not. The
 * order in a pair alternates. The medians of the turns are compared, in CPU
 * time of the whole process, so SAM is included.
 *
 *	overhead   at the defaults of cof/options/opts.def
 *	per sample at several rates, sources and depths, without a budget
 *
 * A difference below the noise is printed as it is, even if it is negative.
 * noise_pct is the distance of the quartiles of the off turns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bare.h"
#include "base/clock.h"

#define PAIRS_DEFAULT 9
#define PAIRS_RATES   7

static struct bare b;
static long work;	/* spin()'s argument for about 200 ms */

static uint64_t process_ns(void)
{
	return cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

static int by_value(const void *a, const void *c)
{
	const double *x = a, *y = c;

	return (*x > *y) - (*x < *y);
}

static double at_part(double *v, int n, double part)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return v[(int)(part * (n - 1) + 0.5)];
}

static double turn(bool on)
{
	uint64_t t0;

	if (on && cof_thread_attach(&b.cof, NULL, NULL) != 0)
		exit(1);
	t0 = process_ns();
	for (int i = 0; i < 10; i++)
		bare_code(&b)(work / 10);
	t0 = process_ns() - t0;
	if (on)
		cof_thread_detach(&b.cof);
	return (double)t0;
}

static void run(const char *options, int pairs)
{
	double on[32], off[32], base, cost, noise;
	const struct cof_flow_sampler *flow;
	uint64_t taken, handler_ns;
	char why[COF_WHY_BYTES] = "";

	if (bare_open(&b, options) != 0 ||
	    cof_sampler_start(&b.cof, NULL, why) != 0) {
		printf("{\"bench\": \"sampler\", \"options\": \"%s\", "
		       "\"error\": \"%s\"}\n", options, why);
		bare_close(&b);
		return;
	}
	flow = &b.cof.flow->sampler;
	if (work == 0) {
		uint64_t t0 = process_ns();

		bare_code(&b)(50000000);
		work = (long)(200e6 / (double)(process_ns() - t0) * 50e6);
	}
	turn(false), turn(true);
	for (int i = 0; i < pairs; i++) {
		if (i % 2 == 0)
			off[i] = turn(false);
		on[i] = turn(true);
		if (i % 2 != 0)
			off[i] = turn(false);
	}
	cof_sampler_stop(&b.cof);
	taken = cof_count_get(&flow->taken);
	handler_ns = cof_count_get(&flow->handler_ns);
	if (taken == 0) {
		printf("{\"bench\": \"sampler\", \"options\": \"%s\", "
		       "\"error\": \"no sample from source %s\"}\n", options,
		       b.cof.stats_file->header->source);
		bare_close(&b);
		return;
	}
	base = at_part(off, pairs, 0.5);
	noise = at_part(off, pairs, 0.75) - at_part(off, pairs, 0.25);
	cost = at_part(on, pairs, 0.5) - base;
	printf("{\"bench\": \"sampler\", \"options\": \"%s\", "
	       "\"source\": \"%s\", \"pairs\": %d, \"turn_ms\": %.1f, "
	       "\"overhead_pct\": %.3f, \"noise_pct\": %.3f, "
	       "\"samples_per_s\": %.0f, \"cost_per_sample_ns\": %.0f, "
	       "\"handler_ns\": %.0f, \"sam_ns_per_sample\": %.0f, "
	       "\"period_ns\": %llu, \"balanced\": %s}\n",
	       options, b.cof.stats_file->header->source, pairs, base / 1e6,
	       100 * cost / base, 100 * noise / base,
	       (double)taken / ((pairs + 1) * base / 1e9),
	       cost * (pairs + 1) / (double)taken,
	       (double)handler_ns / (double)taken,
	       (double)cof_count_get(&flow->sam_ns) / (double)taken,
	       (unsigned long long)cof_count_get(&flow->period_ns),
	       taken == cof_count_get(&flow->counted) +
			cof_count_get(&flow->drop_NATIVE) +
			cof_count_get(&flow->drop_DEAD) +
			cof_count_get(&flow->drop_RING_FULL) +
			cof_count_get(&flow->drop_KERNEL_LOST) +
			cof_count_get(&flow->drop_TOUCH_FULL) +
			cof_count_get(&flow->drop_SATURATED) ?
	       "true" : "false");
	fflush(stdout);
	bare_close(&b);
}

int main(void)
{
	run("", PAIRS_DEFAULT);
	run("source=timer,sample_hz=100,budget_permille=0", PAIRS_RATES);
	run("source=timer,sample_hz=1000,budget_permille=0", PAIRS_RATES);
	run("source=timer,stack_depth=32,budget_permille=0", PAIRS_RATES);
	run("source=itimer,signal=27,budget_permille=0", PAIRS_RATES);
	run("event=task-clock,budget_permille=0", PAIRS_RATES);
	run("event=task-clock,sample_hz=1000,budget_permille=0", PAIRS_RATES);
	run("event=task-clock,sample_hz=10000,budget_permille=0", PAIRS_RATES);
	run("event=task-clock,sample_hz=10000", PAIRS_RATES);
	run("event=cycles,budget_permille=0", PAIRS_RATES);
	return 0;
}

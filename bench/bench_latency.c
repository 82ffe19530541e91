/*
 * bench_latency.c - from the first sample of a hot method to its first patch
 *
 *	bench_latency [runs [options]]
 *
 * Each run has an instance of its own on the toy host, with one hot method. It
 * ends when the method's new version has returned. One JSON line has
 * percentiles of libcof's first_patch_ns, and of the time from the first call
 * to the first return of new code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/toy/toy.h"
#include "base/clock.h"
#include "instance.h"

#define RUNS 20

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void print(const char *name, uint64_t *ns, int n)
{
	static const int percentile[] = { 0, 50, 90, 100 };

	qsort(ns, (size_t)n, sizeof(*ns), by_size);
	for (int i = 0; i < 4; i++)
		printf(",\"%s_p%d\":%.1f", name, percentile[i],
		       (double)ns[(n - 1) * percentile[i] / 100] / 1e6);
}

static int run(const char *options, uint64_t *patch_ns, uint64_t *run_ns)
{
	struct toy_method hot = { .name = "hot", .turns = 6400, .step = 1 };
	struct toy toy = { 0 };
	struct cof_host host = toy_host(&toy);
	char why[COF_WHY_BYTES] = "";
	uint64_t t0;

	if (cof_start(&host, options, why, &toy.cof) != 0) {
		fprintf(stderr, "bench_latency: %s\n", why);
		return 1;
	}
	if (cof_thread_attach(toy.cof, NULL, NULL) != 0 ||
	    toy_add(&toy, &hot) != 0) {
		fprintf(stderr, "bench_latency: no memory\n");
		return 1;
	}
	t0 = cof_clock_ns();
	while ((toy_call(&hot, 1).version & 3) == COF_PLAN_NONE)
		;
	*run_ns = cof_clock_ns() - t0;
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	*patch_ns = toy.cof->flow->optimizer.first_patch_ns;
	cof_free(toy.cof);
	return 0;
}

int main(int argc, char **argv)
{
	int runs = argc > 1 ? atoi(argv[1]) : RUNS;
	const char *options = argc > 2 ? argv[2] : "mode=co,stats=none";
	uint64_t *patch_ns, *run_ns;

	if (runs < 1)
		return 1;
	patch_ns = calloc((size_t)runs, sizeof(*patch_ns));
	run_ns = calloc((size_t)runs, sizeof(*run_ns));
	if (!patch_ns || !run_ns)
		return 1;
	for (int i = 0; i < runs; i++)
		if (run(options, &patch_ns[i], &run_ns[i]) != 0)
			return 1;
	printf("{\"bench\":\"latency\",\"runs\":%d,\"options\":\"%s\"", runs,
	       options);
	print("first_patch_ms", patch_ns, runs);
	print("new_code_ran_ms", run_ns, runs);
	printf("}\n");
	free(patch_ns);
	free(run_ns);
	return 0;
}

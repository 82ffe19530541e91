/*
 * bench_reclaim.c - what a search for old code costs, by the number of threads
 *
 * Each round searches for 100 retired versions while so many attached threads
 * sleep. Then comes the memory of a method and a version without code. JSON
 * lines.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "instance.h"
#include "reclaim/reclaim.h"
#include "reclaim/scan.h"
#include "base/role.h"

#define ROUNDS      50u
#define RETIRED     100u
#define THREADS_MAX 1000u
#define METHODS     10000u
#define MS          UINT64_C(1000000)

static struct cof *cof;
static sem_t       there, go;

static void die(const char *what)
{
	fprintf(stderr, "bench_reclaim: %s\n", what);
	exit(1);
}

static void start(void)
{
	struct cof_host host = { .size = sizeof(host), .name = "bench" };
	char why[COF_WHY_BYTES];

	if (cof_start(&host, "mode=off,stats=none", why, &cof) != 0)
		die(why);
}

static void *sleeper(void *arg)
{
	(void)arg;
	if (cof_thread_attach(cof, NULL, NULL) != 0)
		die("cannot attach");
	sem_post(&there);
	sem_wait(&go);
	cof_thread_detach(cof);
	return NULL;
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void bench(unsigned threads)
{
	static struct cof_scan_range range[RETIRED];
	static pthread_t thread[THREADS_MAX];
	static uint64_t took[ROUNDS];
	pthread_attr_t attr;

	start();
	sem_init(&there, 0, 0);
	sem_init(&go, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (unsigned i = 0; i < threads; i++)
		if (pthread_create(&thread[i], &attr, sleeper, NULL) != 0)
			die("no more threads");
	for (unsigned i = 0; i < threads; i++)
		sem_wait(&there);
	for (unsigned i = 0; i < RETIRED; i++)
		range[i] = (struct cof_scan_range){
			.lo = UINT64_C(0x500000000000) + i * 4096,
			.hi = UINT64_C(0x500000000000) + i * 4096 + 2048,
		};
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t t0 = cof_clock_thread_ns();

		if (!cof_scan_round(cof, cof_reclaim_scan(cof), range, RETIRED,
				    1000 * MS))
			die("somebody was not searched");
		took[i] = cof_clock_thread_ns() - t0;
	}
	qsort(took, ROUNDS, sizeof(took[0]), by_time);
	printf("{\"bench\":\"reclaim_round\",\"threads_asleep\":%u,"
	       "\"p50_ns\":%llu,\"max_ns\":%llu,\"n\":%u}\n", threads,
	       (unsigned long long)took[ROUNDS / 2],
	       (unsigned long long)took[ROUNDS - 1], ROUNDS);
	for (unsigned i = 0; i < threads; i++)
		sem_post(&go);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	pthread_attr_destroy(&attr);
	cof_free(cof);
}

static uint64_t own_bytes(void)
{
	return cof_count_get(&cof->flow->memory.own_bytes);
}

static void bench_memory(void)
{
	static struct cof_method *method[METHODS];
	uint64_t none, methods, versions;

	start();
	none = own_bytes();
	for (unsigned i = 0; i < METHODS; i++)
		if (cof_method_add(cof, "a_method", NULL, &method[i]) != 0)
			die("no method");
	methods = own_bytes();
	for (unsigned i = 0; i < METHODS; i++) {
		struct cof_version_desc d = { .size = sizeof(d) };

		if (cof_code_alloc(cof, 64, COF_CODE_FIRST, &d.block) != 0)
			die("no code memory");
		d.start = d.block.exec;
		d.size_bytes = 64;
		if (cof_version_add(method[i], &d) != 0)
			die("no version");
	}
	versions = own_bytes();
	printf("{\"bench\":\"memory\",\"bytes_per_method\":%.1f,"
	       "\"bytes_per_version\":%.1f,\"n\":%u}\n",
	       (double)(methods - none) / METHODS,
	       (double)(versions - methods) / METHODS, METHODS);
	cof_free(cof);
}

int main(void)
{
	cof_role = COF_ROLE_PICKER;
	for (unsigned threads = 10; threads <= THREADS_MAX; threads *= 10)
		bench(threads);
	bench_memory();
	return 0;
}

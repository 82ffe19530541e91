/*
 * bench_patch.c - how long a patch takes, by the number of call sites
 *
 * cof_patcher_install() replaces a version, membarrier included, while another
 * thread runs the method through one of the sites. There is a JSON line for
 * each number of sites; "barrier" is the membarrier alone.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "instance.h"
#include "patcher/patcher.h"
#include "process/barrier.h"

#define PATCHES    2000u
#define SITES_MAX  1000u

static struct cof        *cof;
static struct cof_method *callee, *caller;
static _Atomic bool       stop;
static uint64_t           took[PATCHES];

static void die(const char *what)
{
	fprintf(stderr, "bench_patch: %s\n", what);
	exit(1);
}

static struct cof_version_desc place(const void *bytes, size_t n)
{
	struct cof_version_desc d = { .size = sizeof(d) };

	if (cof_code_alloc(cof, n, COF_CODE_HOT, &d.block) != 0)
		die("no code memory");
	memcpy(d.block.write, bytes, n);
	d.start = d.block.exec;
	d.size_bytes = n;
	return d;
}

/* A caller with so many calls of the callee, each in one cache line. */
static void make_caller(unsigned sites)
{
	static unsigned char code[SITES_MAX * 16 + 16];
	static struct cof_call_site calls[SITES_MAX];
	struct cof_version_desc d;
	size_t n = 0;

	memcpy(code, "\x48\x83\xec\x08", 4);		/* sub $8, %rsp */
	for (n = 4; n < 16; n++)
		code[n] = 0x90;
	for (unsigned i = 0; i < sites; i++, n += 16) {
		memset(code + n, 0x90, 16);
		code[n] = 0xe8;				/* call */
	}
	memcpy(code + n, "\x48\x83\xc4\x08\xc3", 5);	/* add, ret */
	d = place(code, n + 5);
	for (unsigned i = 0; i < sites; i++) {
		calls[i].rel32 = (char *)d.block.exec + 16 + 16 * i + 1;
		calls[i].callee = callee;
	}
	d.calls = calls;
	d.n_calls = sites;
	if (cof_method_add(cof, "caller", NULL, &caller) != 0 ||
	    cof_version_add(caller, &d) != 0)
		die("no caller");
}

static struct cof_version *prepare(void)
{
	struct cof_version_desc d = place("\xb8\1\0\0\0\xc3", 6);
	struct cof_version *v;
	int err;

	v = cof_patcher_prepare(callee, &d, &err);
	if (!v)
		die("no version");
	return v;
}

static void *run(void *arg)
{
	void (*call)(void) = (void (*)(void))(uintptr_t)cof_method_stub(caller);

	(void)arg;
	while (!stop)
		call();
	return NULL;
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void report(const char *what, unsigned sites)
{
	qsort(took, PATCHES, sizeof(took[0]), by_time);
	printf("{\"bench\":\"%s\",\"sites\":%u,\"p50_ns\":%llu,"
	       "\"p99_ns\":%llu,\"p999_ns\":%llu,\"n\":%u}\n", what, sites,
	       (unsigned long long)took[PATCHES / 2],
	       (unsigned long long)took[PATCHES * 99 / 100],
	       (unsigned long long)took[PATCHES * 999 / 1000], PATCHES);
}

static void bench(unsigned sites)
{
	struct cof_host host = { .size = sizeof(host), .name = "bench" };
	char why[COF_WHY_BYTES];
	pthread_t thread;

	if (cof_start(&host, "mode=off,stats=none", why, &cof) != 0)
		die(why);
	if (cof_method_add(cof, "callee", NULL, &callee) != 0)
		die("no callee");
	cof_patcher_install(prepare(), NULL, true);
	make_caller(sites);
	stop = false;
	if (pthread_create(&thread, NULL, run, NULL) != 0)
		die("no thread");
	for (unsigned i = 0; i < PATCHES; i++) {
		struct cof_version *v = prepare();
		uint64_t t0 = cof_clock_ns();

		cof_patcher_install(v, NULL, true);
		took[i] = cof_clock_ns() - t0;
	}
	report("patch", sites);
	if (sites == 1) {
		for (unsigned i = 0; i < PATCHES; i++) {
			uint64_t t0 = cof_clock_ns();

			cof_barrier(cof);
			took[i] = cof_clock_ns() - t0;
		}
		report("barrier", 0);
	}
	stop = true;
	pthread_join(thread, NULL);
	cof_free(cof);
}

int main(void)
{
	for (unsigned sites = 1; sites <= SITES_MAX; sites *= 10)
		bench(sites);
	return 0;
}

/*
 * bench_jitinfo.c - ns to add, find and remove a version, and its memory
 *
 * Versions of 128 to 320 bytes lie side by side, 64-byte aligned, and are added
 * in that order. Random addresses are looked up. Garbage of adds is collected
 * as P/O does, when there is enough; collect_ns is that time per version.
 */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "code/jitinfo.h"
#include "code/version.h"

#define MAX   1000000u
#define FINDS 2000000u
#define BASE  ((uintptr_t)0x7f0000000000)

static uint64_t seed = 88172645463325252u;

/* xorshift64 (Marsaglia, 2003) */
static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static size_t heap_bytes(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* The time it took. */
static uint64_t collect(struct cof_jitinfo *index)
{
	uint64_t start = cof_clock_ns();

	cof_jitinfo_collect(index);
	return cof_clock_ns() - start;
}

static int bench(struct cof_version *v, uint32_t n)
{
	uint64_t collect_ns = 0;
	uint64_t start, add_ns, find_ns, remove_ns, span, found = 0;
	size_t before = heap_bytes(), bytes;
	struct cof_jitinfo *index = cof_jitinfo_new();
	uintptr_t at = BASE;

	if (!index)
		return 1;
	for (uint32_t i = 0; i < n; i++) {
		v[i].code.start = at;
		at += 128 + next_random() % 4 * 64;
		v[i].code.end = at;
	}
	span = at - BASE;

	start = cof_clock_ns();
	for (uint32_t i = 0; i < n; i++) {
		if (cof_jitinfo_add(index, &v[i]) != 0)
			return 1;
		if (cof_jitinfo_is_full(index))
			collect_ns += collect(index);
	}
	add_ns = cof_clock_ns() - start - collect_ns;
	collect_ns += collect(index);
	bytes = heap_bytes() - before;

	cof_jitinfo_reader_enter();
	start = cof_clock_ns();
	for (uint32_t i = 0; i < FINDS; i++)
		found += cof_jitinfo_find(index, BASE + next_random() % span) !=
			 NULL;
	find_ns = cof_clock_ns() - start;
	cof_jitinfo_reader_leave();
	if (found != FINDS)
		return 1;

	start = cof_clock_ns();
	for (uint32_t i = 0; i < n; i++)
		cof_jitinfo_remove(index, &v[i]);
	remove_ns = cof_clock_ns() - start;

	printf("{\"bench\":\"jitinfo\",\"versions\":%u,\"add_ns\":%.1f,"
	       "\"collect_ns\":%.1f,\"find_ns\":%.1f,\"remove_ns\":%.1f,"
	       "\"bytes_per_version\":%.1f}\n",
	       n, (double)add_ns / n, (double)collect_ns / n,
	       (double)find_ns / FINDS,
	       (double)remove_ns / n, (double)bytes / n);
	fflush(stdout);
	cof_jitinfo_free(index);
	return 0;
}

int main(void)
{
	struct cof_version *v = calloc(MAX, sizeof(*v));
	int err = !v;

	for (uint32_t n = 1000; !err && n <= MAX; n *= 10)
		err = bench(v, n);
	free(v);
	return err;
}

/*
 * stop_world.c - stop and start the world, and measure how long it was stopped
 */
#include "vm/stop_world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "vm/internals.h"

#define TIMES 4096u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t times[TIMES];	/* ns, of the latest stops; lock */
static uint64_t stops, longest;	/* lock */
static uint64_t began_ns;	/* sgen's lock */

bool cofm_stop_world_is_safe(void)
{
	return mono_threads_is_hybrid_suspension_enabled() ||
	       mono_threads_is_cooperative_suspension_enabled();
}

void cofm_stop_world_begin(void)
{
	sgen_gc_lock();
	began_ns = cof_clock_ns();
	sgen_stop_world(0, 1);
}

void cofm_stop_world_end(void)
{
	uint64_t ns;

	sgen_restart_world(0, 1);
	ns = cof_clock_ns() - began_ns;
	sgen_gc_unlock();
	pthread_mutex_lock(&lock);
	times[stops++ % TIMES] = ns;
	if (ns > longest)
		longest = ns;
	pthread_mutex_unlock(&lock);
}

static int by_length(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

void cofm_stop_world_stats(struct cofm_stop_world_stats *out)
{
	static uint64_t sorted[TIMES];
	size_t n;

	pthread_mutex_lock(&lock);
	n = stops < TIMES ? (size_t)stops : TIMES;
	memcpy(sorted, times, n * sizeof(*times));
	*out = (struct cofm_stop_world_stats){
		.stops = stops, .max_ns = longest
	};
	pthread_mutex_unlock(&lock);
	if (n == 0)
		return;
	qsort(sorted, n, sizeof(*sorted), by_length);
	out->p50_ns = sorted[n / 2];
	out->p99_ns = sorted[n * 99 / 100];
}

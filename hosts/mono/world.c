/*
 * world.c - stop, start, and how long it took
 */
#include "world.h"

#include <pthread.h>
#include <time.h>

#include "internals.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cofm_world_stats stats;	/* lock */
static uint64_t began_ns;		/* who stopped it */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool cofm_world_is_safe(void)
{
	return mono_threads_is_hybrid_suspension_enabled() ||
	       mono_threads_is_cooperative_suspension_enabled();
}

void cofm_world_stop(void)
{
	sgen_gc_lock();
	began_ns = now_ns();
	sgen_stop_world(0, 1);
}

void cofm_world_start(void)
{
	uint64_t ns;

	sgen_restart_world(0, 1);
	ns = now_ns() - began_ns;
	sgen_gc_unlock();
	pthread_mutex_lock(&lock);
	stats.stops++;
	stats.ns += ns;
	if (ns > stats.max_ns)
		stats.max_ns = ns;
	pthread_mutex_unlock(&lock);
}

void cofm_world_stats(struct cofm_world_stats *out)
{
	pthread_mutex_lock(&lock);
	*out = stats;
	pthread_mutex_unlock(&lock);
}

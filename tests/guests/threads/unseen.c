/*
 * unseen.c - a thread that the program makes past its own names stays in a
 * function that is replaced meanwhile, again and again
 *
 * guest-hot:
 */
#include <dlfcn.h>
#include <pthread.h>

#include "guest.h"

#define STAY_NS 100000000u	/* the tests have code freed after less */

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		      void *);

static volatile int leave, left, over;

/* Short calls make it hot. The thread stays in one until it is to leave, and
 * comes again to what is current then. */
NOINLINE static uint64_t stay(uint64_t x, uint64_t n)
{
	for (uint64_t i = 0; i < n && !leave; i++)
		x = (x ^ i) * 0x100000001b3u + (x >> 29);
	return x;
}

static void *stays(void *unused)
{
	while (!over) {
		stay(1, UINT64_MAX);
		left = 1;
		while (leave && !over)
			;
		left = 0;
	}
	return unused;
}

static uint64_t round_(void)
{
	static uint64_t since;
	uint64_t now = guest_ns(CLOCK_MONOTONIC), h = MIX0;

	if (now - since > STAY_NS) {
		since = now;
		leave = 1;
		while (!left)
			;
		leave = 0;
		while (left)
			;
	}
	for (unsigned i = 0; i < 20; i++)
		h = mix(h, stay(i, 2000));
	return h;
}

/* As of libc itself, in which no name is another library's. */
static create_fn *libcs_create(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);

	return libc != NULL ? (create_fn *)dlsym(libc, "pthread_create") : NULL;
}

int main(void)
{
	create_fn *create = libcs_create();
	pthread_t thread;

	if (create == NULL || create(&thread, NULL, stays, NULL) != 0)
		return 1;
	guest_run("calls", round_);
	over = 1;
	leave = 1;
	return pthread_join(thread, NULL);
}

/*
 * guest.h - what the guest programs share: a loop that lasts as long as asked
 *
 * A guest repeats rounds, and every round must give what the first one gave,
 * so its output does not depend on how many there were. $GUEST_MS says how long
 * a loop lasts; without it a loop makes two rounds. The end-to-end tests ask
 * for so long that code is replaced meanwhile, and compare with a native run.
 *
 * A guest is one file, or a folder of files that are linked. Lines in its first
 * comment tell the tests more about it:
 *
 *	guest-hot:       something must get recompiled, and run
 *	guest-osr:       a loop must be left for a continuation, if the guest
 *			 has one that can be
 *	guest-reclaims:  replaced code must get freed
 *	guest-inlined:   "F: G H": with its profile F has G and H inlined
 *	guest-args:      arguments; one run for each such line
 *	guest-led:	with this argument it gets to a continuation with its
 *			profile
 *	guest-tried:	and this one is tried
 *	guest-stdin:     a command whose output is the standard input
 *	guest-cflags:    for all of its files
 *	guest-libs:      for the native program
 */
#pragma once

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

/* FNV-1a over the 8 bytes of x. */
static inline uint64_t mix(uint64_t h, uint64_t x)
{
	for (int i = 0; i < 8; i++)
		h = (h ^ (x >> 8 * i & 0xff)) * 0x100000001b3u;
	return h;
}

#define MIX0 0xcbf29ce484222325u

/* The bits of a double, for mix(). */
static inline uint64_t bits(double d)
{
	uint64_t u;

	__builtin_memcpy(&u, &d, sizeof(u));
	return u;
}

static inline uint64_t guest_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * Is the loop that began at `cpu` and `wall` long enough? That much CPU time of
 * its thread, so that a busy machine does not cut it short; but a thread that
 * waits for others does not wait forever. It is, too, once there is a file
 * $GUEST_UNTIL.
 */
static inline int guest_enough(uint64_t cpu, uint64_t wall)
{
	const char *ms = getenv("GUEST_MS"), *until = getenv("GUEST_UNTIL");
	uint64_t ns = ms ? strtoull(ms, NULL, 10) * 1000000u : 0;

	if (until != NULL && access(until, F_OK) == 0)
		return 1;
	return guest_ns(CLOCK_THREAD_CPUTIME_ID) - cpu >= ns ||
	       guest_ns(CLOCK_MONOTONIC) - wall >= 3 * ns;
}

/*
 * Repeat a round until time is up, and print what every one of them gave. The
 * round stays a function of its own, so that a newer version is called.
 */
NOINLINE static void guest_run(const char *what, uint64_t (*round)(void))
{
	uint64_t cpu = guest_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t wall = guest_ns(CLOCK_MONOTONIC);
	uint64_t (*volatile call)(void) = round;
	uint64_t first = call(), n = 1;

	do {
		uint64_t now = call();

		n++;
		if (now != first) {
			printf("%s: round %" PRIu64 " gave %016" PRIx64
			       ", the first one %016" PRIx64 "\n",
			       what, n, now, first);
			exit(3);
		}
	} while (!guest_enough(cpu, wall));
	printf("%s %016" PRIx64 "\n", what, first);
}

/* Some work, and a round of it, for guests that are about something else. */
NOINLINE static uint64_t guest_work(uint64_t x)
{
	for (int i = 0; i < 2000; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

static inline uint64_t guest_work_round(void) { return guest_work(MIX0); }

NOINLINE static void guest_differs(const char *what, uint64_t now,
				   uint64_t first)
{
	printf("%s: %016" PRIx64 ", first %016" PRIx64 "\n", what, now, first);
	exit(3);
}

/* Rounds inside one call: each must give what the first one gave. */
#define ROUNDS_BEGIN(h)							\
	uint64_t cpu_ = guest_ns(CLOCK_THREAD_CPUTIME_ID);		\
	uint64_t wall_ = guest_ns(CLOCK_MONOTONIC), first_ = 0, n_ = 0;	\
	do {								\
		uint64_t h = MIX0;

#define ROUNDS_END(h)							\
		if (n_++ != 0 && h != first_)				\
			guest_differs(__func__, h, first_);		\
		first_ = h;						\
	} while (n_ < 2 || !guest_enough(cpu_, wall_))

/* A guest of several cases, each by its name as the argument. */
struct guest_case {
	const char *name;
	uint64_t  (*run)(void);
};

#define GUEST_CASE(f) { #f, f }

static inline int guest_cases(const struct guest_case *c, size_t n, int argc,
			      char **argv)
{
	for (size_t i = 0; i < n; i++)
		if (argc > 1 && __builtin_strcmp(argv[1], c[i].name) == 0)
			printf("%s %016" PRIx64 "\n", argv[1], c[i].run());
	return 0;
}

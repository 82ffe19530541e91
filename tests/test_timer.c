/*
 * test_timer.c - when a timer expires first, so that short threads count
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bare_test.h"
#include "clock.h"
#include "sampler/timer.h"
#include "valgrind.h"

#define MS 1000000u

static void a_period_below_the_tick_expires_at_once(void **state)
{
	(void)state;
	for (uint64_t rnd = 0; rnd < 8 * MS; rnd += 99991) {
		assert_int_equal(cof_timer_first(4 * MS, 4 * MS, rnd), 1);
		assert_int_equal(cof_timer_first(MS, 4 * MS, rnd), 1);
	}
}

static void a_longer_one_expires_at_a_multiple_of_the_tick(void **state)
{
	uint64_t n[3] = { 0 }, first;

	(void)state;
	for (uint64_t rnd = 0; rnd < 1200 * MS; rnd += MS / 10) {
		first = cof_timer_first(12 * MS, 4 * MS, rnd);
		assert_int_equal((first - 1) % (4 * MS), 0);
		assert_true(first < 12 * MS);
		n[(first - 1) / (4 * MS)]++;
	}
	assert_int_equal(n[0], 4000);
	assert_int_equal(n[1], 4000);
	assert_int_equal(n[2], 4000);
}

static void without_a_tick_it_is_anywhere_in_the_period(void **state)
{
	(void)state;
	assert_int_equal(cof_timer_first(12 * MS, 0, 5 * MS + 3), 5 * MS + 4);
	assert_int_equal(cof_timer_first(12 * MS, 0, 12 * MS), 1);
}

/*
 * The model of timer.c: ticks at u, u + T, ...; a thread that lives for c gets
 * a sample at the first tick from F on, and one each P from there.
 */
static uint64_t samples_of(uint64_t c, uint64_t u, uint64_t f, uint64_t p,
			   uint64_t t)
{
	uint64_t n = 0;

	for (uint64_t tick = u; tick < c; tick += t) {
		if (tick < f)
			continue;
		n++;
		f += (tick - f) / p * p + p;
	}
	return n;
}

static void a_thread_gets_its_time_by_the_period_however_short(void **state)
{
	const uint64_t tick = 4 * MS, period[] = { 4 * MS, 8 * MS, 20 * MS };
	const uint64_t lives[] = { MS / 2, MS, 3 * MS, 5 * MS, 50 * MS };
	uint64_t rng = 1;

	(void)state;
	for (int p = 0; p < 3; p++) {
		for (int c = 0; c < 5; c++) {
			uint64_t got = 0, want;

			for (int i = 0; i < 200000; i++) {
				uint64_t u, f;

				rng = rng * 6364136223846793005u + 1;
				u = (rng >> 33) % tick;
				rng = rng * 6364136223846793005u + 1;
				f = cof_timer_first(period[p], tick, rng >> 16);
				got += samples_of(lives[c], u, f, period[p],
						  tick);
			}
			want = 200000 * lives[c] / period[p];
			assert_in_range(got, want - want / 20,
					want + want / 20);
		}
	}
}

static _Atomic uint64_t failed;		/* threads that could not attach */

#define SHORT_NS    1500000u	/* of CPU time: less than a tick */
#define GAP_NS      500000u	/* it did not run all of the time */
#define TICKS       250u	/* that short threads are to meet in all, */
#define TICKS_MIN   100u	/* and without which nothing can be said */
#define THREADS_MAX 30000u

static uint64_t ticks, samples;	/* met, and had; one thread at a time */

/*
 * The kernel's coarse clock moves with the tick. Where others have the core as
 * well, threads begin just after a tick more often than not, end before the next
 * or are away meanwhile; so the ticks that they met while they ran are counted,
 * and not taken from how long they lived.
 */
static void *short_guest(void *arg)
{
	struct bare *bare = arg;
	uint64_t end = cof_clock_thread_ns() + SHORT_NS;
	uint64_t at, coarse, taken;

	if (cof_thread_attach(&bare->cof, NULL, NULL) != 0) {
		atomic_fetch_add(&failed, 1);
		return NULL;
	}
	at = cof_clock_ns();
	coarse = cof_clock_read(CLOCK_MONOTONIC_COARSE);
	taken = cof_count_get(&cof_self->taken);
	while (cof_clock_thread_ns() < end) {
		uint64_t at_before = at, coarse_before = coarse;
		uint64_t taken_before = taken;

		bare_code(bare)(2000);
		at = cof_clock_ns();
		coarse = cof_clock_read(CLOCK_MONOTONIC_COARSE);
		taken = cof_count_get(&cof_self->taken);
		if (at - at_before > GAP_NS)
			continue;
		ticks += coarse != coarse_before;
		samples += taken - taken_before;
	}
	cof_thread_detach(&bare->cof);
	return NULL;
}

/* Samples of short threads, for each that the ticks they met are worth. */
static double share_of_short_threads(void)
{
	uint64_t want, each, tick;
	struct timespec res;
	pthread_t thread;

	assert_int_equal(clock_getres(CLOCK_MONOTONIC_COARSE, &res), 0);
	assert_int_equal(bare_open(&b, "source=timer,budget_permille=0,"
				       "sample_hz=100"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	if (strcmp(b.cof.share->header->source, "timer") != 0) {
		bare_close(&b);
		skip();
	}
	ticks = samples = 0;
	for (unsigned i = 0; ticks < TICKS && i < THREADS_MAX; i++) {
		assert_int_equal(pthread_create(&thread, NULL, short_guest, &b),
				 0);
		pthread_join(thread, NULL);
	}
	assert_int_equal(atomic_load(&failed), 0);
	cof_sampler_stop(&b.cof);
	tick = (uint64_t)res.tv_nsec;
	each = tick > 10 * MS ? tick : 10 * MS;
	want = ticks * tick / each;
	bare_close(&b);
	print_message("%llu samples of %llu\n", (unsigned long long)samples,
		      (unsigned long long)want);
	if (ticks < TICKS_MIN)
		skip();		/* no thread runs for long enough here */
	return (double)samples / (double)want;
}

/*
 * Without the rule of timer.c, an expiry that is uniform in the period, there is
 * a fifth in every one.
 */
static void short_threads_get_their_share_of_samples(void **state)
{
	double share;

	(void)state;
	skip_under_valgrind();	/* late */
	share = share_of_short_threads();
	assert_true(share > 1.0 / 3);
	assert_true(share < 3);
}

#define T(name) cmocka_unit_test_teardown(name, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_period_below_the_tick_expires_at_once),
		T(a_longer_one_expires_at_a_multiple_of_the_tick),
		T(without_a_tick_it_is_anywhere_in_the_period),
		T(a_thread_gets_its_time_by_the_period_however_short),
		T(short_threads_get_their_share_of_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

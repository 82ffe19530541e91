/*
 * test_timer.c - the first expiry of a timer, and samples of short threads
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "sampler/sources/timer.h"
#include "tests/support/bare_test.h"
#include "tests/support/patience.h"
#include "tests/support/valgrind.h"

#define MS 1000000u

static void a_period_below_the_tick_expires_at_once(void **state)
{
	(void)state;
	for (uint64_t rnd = 0; rnd < 8 * MS; rnd += 99991) {
		assert_int_equal(cof_timer_first(4 * MS, 4 * MS, rnd), 1);
		assert_int_equal(cof_timer_first(MS, 4 * MS, rnd), 1);
	}
}

static void a_longer_period_expires_at_a_multiple_of_the_tick(void **state)
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
 * The model of timer.c: ticks come at u, u + T, ... A thread that lives for c
 * gets a sample at the first tick from F on, and then one each P.
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

static void a_thread_gets_cpu_time_by_period_samples_however_short(void **state)
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

#define PERIOD_NS  (10 * MS)
#define SHORT_NS   1500000u	/* of CPU time: less than a tick */
#define THREADS    200u
#define SAMPLES    10u		/* that the short threads must get in all */

struct seen {
	bool     attached;
	uint64_t used_ns;	/* upper bound of CPU time since it was set */
	uint64_t first_ns;	/* the first expiry by cof_timer_first() */
	uint64_t left_ns;	/* what the kernel says is left */
	uint64_t taken;		/* samples */
};

static uint64_t tick_ns(void)
{
	struct timespec res;

	return clock_getres(CLOCK_MONOTONIC_COARSE, &res) == 0 ?
	       (uint64_t)res.tv_nsec : 0;
}

/* SAM does not run, so t->rng is as it was at the attach. */
static void *look_at_timer(void *arg)
{
	uint64_t from_ns = cof_clock_thread_ns();
	struct seen *s = arg;
	struct itimerspec now;

	s->attached = cof_thread_attach(&b.cof, NULL, NULL) == 0;
	if (!s->attached || timer_gettime(cof_thread_self->timer, &now) != 0)
		return NULL;
	s->used_ns = cof_clock_thread_ns() - from_ns;
	s->left_ns = (uint64_t)now.it_value.tv_nsec;
	s->first_ns = cof_timer_first(PERIOD_NS, tick_ns(),
				      cof_thread_self->rng);
	s->taken = cof_count_get(&cof_thread_self->taken);
	cof_thread_detach(&b.cof);
	return NULL;
}

/* At 100 Hz, without a budget. Skips the test if there are no timers. */
static void start_sampling(bool stepped)
{
	assert_int_equal(bare_open(&b, "source=timer,budget_permille=0,"
				       "sample_hz=100"), 0);
	b.cof.stepped = stepped;
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	if (strcmp(b.cof.stats_file->header->source, "timer") != 0) {
		bare_close(&b);
		skip();
	}
}

/*
 * Does not count samples: on a busy machine threads begin and end with the
 * tick, and meet either none or every one.
 */
static void the_timer_of_a_thread_is_set_by_the_rule(void **state)
{
	unsigned looked = 0;
	pthread_t thread;

	(void)state;
	start_sampling(true);
	for (unsigned i = 0; i < THREADS; i++) {
		struct seen s = { .attached = false };

		assert_int_equal(pthread_create(&thread, NULL, look_at_timer,
						&s), 0);
		pthread_join(thread, NULL);
		assert_true(s.attached);
		if (s.taken > 0)
			continue;	/* a tick came first and reset it */
		looked++;
		/* 1: the timer has expired, and waits for the next tick. */
		assert_in_range(s.left_ns, s.first_ns > s.used_ns ?
				s.first_ns - s.used_ns : 1, s.first_ns);
	}
	assert_true(looked > 0);
	cof_sampler_stop(&b.cof);
	bare_close(&b);
}

static void *be_short(void *arg)
{
	uint64_t end_ns = cof_clock_thread_ns() + SHORT_NS;
	struct seen *s = arg;

	s->attached = cof_thread_attach(&b.cof, NULL, NULL) == 0;
	while (s->attached && cof_clock_thread_ns() < end_ns)
		bare_code(&b)(2000);
	s->taken = s->attached ? cof_count_get(&cof_thread_self->taken) : 0;
	cof_thread_detach(&b.cof);
	return NULL;
}

static void threads_shorter_than_a_tick_are_sampled(void **state)
{
	struct patience p = patience_begin();
	uint64_t samples = 0;
	pthread_t thread;

	(void)state;
	skip_under_valgrind();	/* its signals come late */
	start_sampling(false);
	while (samples < SAMPLES && !patience_is_over(&p)) {
		struct seen s = { .attached = false };

		assert_int_equal(pthread_create(&thread, NULL, be_short, &s),
				 0);
		pthread_join(thread, NULL);
		assert_true(s.attached);
		samples += s.taken;
	}
	assert_true(samples >= SAMPLES);
	cof_sampler_stop(&b.cof);
	assert_true(cof_count_get(&b.cof.flow->sampler.taken) >= samples);
	bare_close(&b);
}

#define T(name) cmocka_unit_test_teardown(name, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_period_below_the_tick_expires_at_once),
		T(a_longer_period_expires_at_a_multiple_of_the_tick),
		T(without_a_tick_it_is_anywhere_in_the_period),
		T(a_thread_gets_cpu_time_by_period_samples_however_short),
		T(the_timer_of_a_thread_is_set_by_the_rule),
		T(threads_shorter_than_a_tick_are_sampled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_counts_of_others.c - a method that is hot where it does not count
 *
 * A frame that is in the method's loop when it begins to count stays in the
 * version before, and samples show it there. There is no sampler in this test:
 * counted(), which P/O calls once a turn, adds the samples itself.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/units.h"
#include "options/tuning.h"
#include "warm.h"

#define TURNS 5

static _Atomic uint64_t before_each, counting_each;	/* samples */
static _Atomic uint64_t looks;
static _Atomic unsigned saved;

static void sample(struct cof_method *m, struct cof_version *v, uint64_t n)
{
	cof_count_add(&v->sampled.total, n);
	cof_count_add(&m->samples, n);
}

static uint64_t counted_and_sampled(void *ctx, void *method)
{
	struct cof_method *m = ((struct toy_method *)method)->method;

	(void)ctx;
	if (m->trial.base)
		sample(m, m->trial.base, before_each);
	sample(m, atomic_load(&m->current), counting_each);
	looks++;
	return 1000;
}

static size_t save_it(void *ctx, void *method, void *buf, size_t room)
{
	(void)ctx, (void)method, (void)buf, (void)room;
	saved++;
	return 0;
}

static int setup_counting(void **state)
{
	int err = setup_cached(state);

	uncounted = true;
	first = COF_PLAN_AVERAGE;
	looks = before_each = counting_each = 0;
	saved = 0;
	host.counted = counted_and_sampled;
	host.profile_save = save_it;
	/* Known methods begin to count no later than this. */
	while (cof_clock_read(CLOCK_PROCESS_CPUTIME_ID) <
	       (COF_TUNE(counting_after_ms) + 100) * COF_MS_NS)
		;
	return err;
}

static struct toy_method m0;

/* It has been counting for some turns. */
static void count_for_some_turns(const char *more)
{
	char all[100];

	m0 = (struct toy_method){ .name = "m0", .turns = 1024, .step = 1 };
	snprintf(all, sizeof(all), "audit=off,generation_ms=2,"
		 "profile_generations=60000,%s", more);
	start_warm(&m0, all);
	wait_until(looks > TURNS || toy.cof->flow->profile.collected > 0,
		   toy.cof->flow);
}

/* It has counted 1000. */
#define REACHED     "profile_counts=100"
#define NOT_REACHED "profile_counts=100000"

static void many_counts_make_it_full_only_when_most_frames_count(void **state)
{
	(void)state;
	before_each = 2;
	counting_each = 1;
	count_for_some_turns(REACHED);
	assert_true(atomic_load(&m0.method->build.counts_others));
	assert_true(current(&m0)->code.counting);
	assert_int_equal(toy.cof->flow->profile.collected, 0);
	counting_each = 100;
	wait_until(toy.cof->flow->profile.collected == 1, toy.cof->flow);
	assert_false(atomic_load(&m0.method->build.counts_others));
	stop_and_balance();
	end_run();
}

static void counts_of_others_are_not_saved(void **state)
{
	(void)state;
	before_each = 2;
	counting_each = 1;
	count_for_some_turns(REACHED);
	stop_and_balance();
	end_run();
	assert_int_equal(saved, 0);
}

static void its_own_are(void **state)
{
	(void)state;
	counting_each = 1;
	count_for_some_turns(NOT_REACHED);
	stop_and_balance();
	end_run();
	assert_true(saved > 0);
}

/* Without a limit on what counting costs, continuations lead the old frames
 * into code that counts, so the counts are theirs. */
static void without_a_bound_it_is_full(void **state)
{
	(void)state;
	before_each = 2;
	m0 = (struct toy_method){ .name = "m0", .turns = 1024, .step = 1 };
	start_warm(&m0, "audit=off,profile_counts=100,unproven_pct=100");
	wait_until(toy.cof->flow->profile.collected == 1, toy.cof->flow);
	assert_false(atomic_load(&m0.method->build.counts_others));
	stop_and_balance();
	end_run();
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup_counting, teardown_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(many_counts_make_it_full_only_when_most_frames_count),
		T(counts_of_others_are_not_saved),
		T(its_own_are),
		T(without_a_bound_it_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_profiling.c - instrumented, counted, collected, built again
 *
 * The test makes the forecasts, as test_optimizer.c does, and sets the counts.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#ifndef TOY_RUN_THREADS	/* test_profiling_threads */
#define TOY_RUN_STEPPED
#endif
#include "profiling.h"
#include "tests/support/said.h"

static void a_hot_method_counts_goes_back_and_gets_its_profile(void **state)
{
	(void)state;
	begin("mode=full,unit_methods=1," BY_HAND);
	count(0);
	assert_int_equal(plan(0), COF_PLAN_NONE);
	assert_true(seen(0).counting);
	assert_int_equal(seen(0).number, 1);
	call_all();
	counter[0].counted = 99;
	WAIT(toy.cof->generation > 3);
	assert_int_equal(flow()->counting, 1);
	counter[0].no_build = true;	/* so that what is before it stays */
	counter[0].counted = 100;
	WAIT(flow()->drop_DECLINED == 1);
	assert_false(seen(0).counting);
	assert_int_equal(seen(0).number, 0);
	assert_int_equal(counter[0].collected, 1);
	finish();

	setup(NULL);
	begin("mode=full," BY_HAND);
	profile(0);
	assert_int_equal(seen(0).number, 2);
	assert_int_equal(counter[0].instrumented, 1);
	assert_int_equal(counter[0].collected, 1);
	assert_int_equal(counter_units, 0);
	/* The first version and the counting one are not needed any more. */
	WAIT(toy.cof->flow->reclaim.retired == 2);
	finish();
}

static void auto_does_so_too(void **state)
{
	(void)state;
	begin("mode=auto," BY_HAND);
	profile(3);
	finish();
}

static void mode_co_instruments_nothing(void **state)
{
	(void)state;
	begin("mode=co," BY_HAND);
	speed_up(0);
	assert_int_equal(flow()->picked, 0);
	assert_int_equal(counter[0].instrumented, 0);
	finish();
}

static void a_host_that_declines_to_instrument_is_asked_for_speed(void **state)
{
	(void)state;
	begin("mode=full," BY_HAND);
	counter[0].no_instrument = true;
	forecast(0, 1000);
	WAIT(flow()->drop_NO_COUNTING == 1);
	speed_up(0);
	assert_int_equal(flow()->picked, 1);
	finish();
}

static void a_host_that_cannot_instrument_is_not_asked(void **state)
{
	(void)state;
	host.instrument = NULL;
	begin("mode=full," BY_HAND);
	speed_up(0);
	assert_int_equal(flow()->picked, 0);
	finish();

	setup(NULL);
	host.collect = NULL;
	begin("mode=full," BY_HAND);
	speed_up(0);
	assert_int_equal(flow()->picked, 0);
	finish();
}

static void without_ir_nothing_is_instrumented(void **state)
{
	(void)state;
	host.gather = NULL;
	begin("mode=full," BY_HAND);
	forecast(0, 1000);
	WAIT(flow()->drop_NO_IR == 1);
	finish();
}

static void a_profile_of_nothing_leads_to_speed(void **state)
{
	(void)state;
	begin("mode=full," BY_HAND);
	counter[0].no_collect = true;
	count(0);
	counter[0].counted = 1000;
	WAIT(flow()->drop_NO_PROFILE == 1);
	assert_int_equal(seen(0).number, 0);
	speed_up(0);
	assert_int_equal(counter[0].instrumented, 1);
	finish();
}

static void a_method_that_is_never_entered_goes_back_empty(void **state)
{
	(void)state;
	begin("mode=full,profile_generations=4," BY_HAND);
	forecast(0, 1000);
	WAIT(flow()->drop_EMPTY == 1);
	assert_int_equal(seen(0).number, 0);
	assert_int_equal(counter[0].collected, 0);
	speed_up(0);		/* what can be done without */
	finish();
}

static void one_that_never_fills_is_taken_as_it_is(void **state)
{
	(void)state;
	begin("mode=full,profile_generations=4," BY_HAND);
	counter[0].counted = 1;
	forecast(0, 1000);
	WAIT(plan(0) == COF_PLAN_PROFILE);
	finish();
}

static void a_host_that_cannot_say_how_much_is_waited_for(void **state)
{
	(void)state;
	host.counted = NULL;
	begin("mode=full,profile_generations=4," BY_HAND);
	forecast(0, 1000);
	WAIT(plan(0) == COF_PLAN_PROFILE);
	finish();
}

static void a_version_of_the_hosts_ends_the_counting(void **state)
{
	(void)state;
	begin("mode=full," BY_HAND);
	count(0);
	host.first_call(&toy, &counter[0].m);
	WAIT(flow()->drop_STALE == 1);
	assert_int_equal(seen(0).number, 2);
	WAIT(toy.cof->flow->reclaim.retired == 2);
	finish();
}

static void a_version_of_the_hosts_ends_the_waiting(void **state)
{
	(void)state;
	begin("mode=full,generation_ms=60000," BY_HAND);
	count(0);
	/* PRE's clock stands, so let the test turn it. */
	toy.cof->generation = 10;
	counter[0].counted = 1000;
	WAIT(flow()->full == 1);
	host.first_call(&toy, &counter[0].m);
	WAIT(flow()->drop_STALE == 1);
	finish();
}

static void a_forecast_meanwhile_is_busy(void **state)
{
	(void)state;
	begin("mode=full," BY_HAND);
	count(0);
	forecast(0, 1000);
	WAIT(toy.cof->flow->optimizer.drop_BUSY == 1);
	finish();
}

static void a_build_that_declines_is_marked(void **state)
{
	(void)state;
	counter[0].no_build = true;
	begin("mode=full," BY_HAND);
	count(0);
	counter[0].counted = 1000;
	WAIT(flow()->drop_DECLINED == 1);
	WAIT(toy.cof->flow->optimizer.backed_off == 1);
	forecast(0, 1000);
	WAIT(toy.cof->flow->optimizer.drop_BACKED_OFF == 1);
	finish();
}

static void a_dry_run_does_not_count(void **state)
{
	(void)state;
	begin("mode=full,dry_run," BY_HAND);
	forecast(0, 1000);
	WAIT(flow()->drop_NOT_PATCHED == 1);
	assert_int_equal(seen(0).number, 0);
	finish();
}

static int dear(void *ctx, void *method, enum cof_plan now, enum cof_plan p,
		struct cof_estimate *out)
{
	(void)ctx, (void)method;
	out->speedup = now == COF_PLAN_NONE ? 1.5 + 0.2 * p : 1.3;
	out->cost_ns = p == COF_PLAN_PROFILE ? 100000000 : 1000;
	return p != COF_PLAN_STATIC && p != COF_PLAN_PROFILE;
}

static void a_plan_quickly_built_goes_first(void **state)
{
	(void)state;
	host.estimate = dear;
	begin("mode=full," BY_HAND);
	forecast(0, 100000);
	WAIT(plan(0) == COF_PLAN_STATIC);
	assert_int_equal(flow()->picked, 0);
	forecast(0, 100000);
	WAIT(flow()->counting == 1);
	finish();
}

static void another_phase_counts_again_and_each_time_later(void **state)
{
	(void)state;
	begin("mode=full,backoff_generations=1," BY_HAND);
	profile(0);
	/* Of this phase it has one. */
	forecast(0, 100000);
	WAIT(toy.cof->flow->optimizer.drop_NO_ESTIMATE == 1);
	for (uint64_t phase = 1, next = 1, times = 1; phase <= 8; phase++) {
		cof_count_add(&toy.cof->flow->predictor.phase_changes, 1);
		counter[0].counted = 0;
		if (phase == next) {
			WAIT(!(cof_word_read(&current(0)->word).flags &
			       COF_WORD_SETTLED));
			profile(0);
			next += UINT64_C(1) << times;
			assert_int_equal(counter[0].instrumented, ++times);
		} else {
			uint64_t was = toy.cof->flow->optimizer.taken;

			forecast(0, 100000);
			WAIT(toy.cof->flow->optimizer.taken == was + 1);
			WAIT(toy.cof->flow->optimizer.drop_NO_ESTIMATE > 0);
		}
	}
	assert_int_equal(flow()->reprofiled, counter[0].instrumented - 1);
	assert_int_equal(counter[0].instrumented, 4);	/* at 0, 1, 3, 7 */
	finish();
}

static void counting_code_is_left_when_libcof_stops(void **state)
{
	(void)state;
	begin("mode=full," BY_HAND);
	count_all(3);
	cof_stop(toy.cof);
	assert_int_equal(flow()->drop_STOPPED, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(seen(i).number, 0);
	finish();
}

static void the_log_says_what_was_decided(void **state)
{
	(void)state;
	host.log = said_keep;
	begin("mode=full,verbose," BY_HAND);
	profile(0);
	cof_stop(toy.cof);
	assert_true(said("COF: P/O finds that a build of a pays: plan "));
	assert_true(said("COF: the host instrumented a"));
	assert_true(said("COF: the profile of a is full: 1000 counts in "));
	assert_true(said("COF: the host collected the profile of a"));
	assert_true(said("COF: the host recompiled a"));
	finish();
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup, toy_run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_hot_method_counts_goes_back_and_gets_its_profile),
		T(auto_does_so_too),
		T(mode_co_instruments_nothing),
		T(a_host_that_declines_to_instrument_is_asked_for_speed),
		T(a_host_that_cannot_instrument_is_not_asked),
		T(without_ir_nothing_is_instrumented),
		T(a_profile_of_nothing_leads_to_speed),
		T(a_method_that_is_never_entered_goes_back_empty),
		T(one_that_never_fills_is_taken_as_it_is),
		T(a_host_that_cannot_say_how_much_is_waited_for),
		T(a_version_of_the_hosts_ends_the_counting),
		T(a_version_of_the_hosts_ends_the_waiting),
		T(a_forecast_meanwhile_is_busy),
		T(a_build_that_declines_is_marked),
		T(a_dry_run_does_not_count),
		T(a_plan_quickly_built_goes_first),
		T(another_phase_counts_again_and_each_time_later),
		T(counting_code_is_left_when_libcof_stops),
		T(the_log_says_what_was_decided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

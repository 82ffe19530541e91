/*
 * test_known_hot.c - how methods are built that were hot in earlier runs
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "counting_host.h"
#include "measure/expected_gain.h"
#include "tests/cof/optimizer/whole_turn.h"
#include "tests/support/held_cpu.h"

static void the_known_hot_set_is_built_without_a_sample(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };
	struct toy_method m1 = { .name = "m1", .turns = 64, .step = 1 };
	struct toy_method other = { .name = "other", .turns = 64, .step = 1 };
	struct cof_history_record r = record_here(1, 2);

	(void)state;
	r.method[0].plan = COF_PLAN_AVERAGE;
	remember(r);
	start("mode=auto,source=none");
	toy_add(&toy, &m0);
	toy_add(&toy, &m1);
	toy_add(&toy, &other);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&other, 1);
	assert_int_equal(call_until_built(&m0), COF_PLAN_AVERAGE);
	assert_int_equal(call_until_built(&m1), COF_PLAN_SPEED);
	assert_int_equal(current(&other)->number, 0);
	stop_and_balance();
	assert_int_equal(toy.cof->flow->optimizer.known, 2);
	end_run();
}

static int cache_nothing(void *ctx, void *method, const void *profile,
			 size_t bytes, struct cof_version_desc *out)
{
	(void)ctx, (void)method, (void)profile, (void)bytes, (void)out;
	return 1;
}

/* With a host whose cache is empty, the decision comes late. Its methods have
 * been there for some time then. */
static void what_was_there_before_arrives_when_it_is_decided(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };
	struct toy_method m1 = { .name = "m1", .turns = 128, .step = 1 };
	struct patience p = patience_begin();

	(void)state;
	remember(record_here(1, 2));
	held_cpu_begin();
	host.cached_version = cache_nothing;
	host.no_cached_versions = 1;
	start("mode=auto,source=timer,auto_start_ms=100");
	toy_add(&toy, &m0);
	toy_add(&toy, &m1);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&m0, 1);
	toy_call(&m1, 1);
	assert_true(cof_history_waits(toy.cof));
	cof_ready(toy.cof);
	assert_int_equal(current(&m1)->number, 0);
	held_cpu_set_ms(100);
	while (!cof_has_begun(toy.cof) && !patience_is_over(&p))
		toy_call(&m0, 1);
	assert_int_equal(call_until_built(&m0), COF_PLAN_SPEED);
	assert_int_equal(call_until_built(&m1), COF_PLAN_SPEED);
	stop_and_balance();
	held_cpu_end();
	assert_int_equal(toy.cof->flow->optimizer.known, 2);
	end_run();
}

/* A method of an earlier run, in a host that caches versions, where nothing may
 * be built before something has helped. */
static void start_bounded(struct toy_method *m0, uint32_t measured_permille)
{
	struct cof_history_record r = record_here(1, 1);

	r.method[0].plan = COF_PLAN_AVERAGE;
	r.method[0].measured_permille = measured_permille;
	host.cached_version = cache_nothing;
	start_after(r, m0, "unproven_pct=0,auto_start_ms=0");
	cof_ready(toy.cof);
}

static void what_an_earlier_run_measured_is_proof(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };

	(void)state;
	start_bounded(&m0, 1200);
	assert_int_equal(call_until_built(&m0), COF_PLAN_AVERAGE);
	stop_and_balance();
	end_run();
}

static void what_was_only_promised_is_none(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };

	(void)state;
	start_bounded(&m0, 0);
	toy_call(&m0, 1);
	wait_until(cof_count_get(&toy.cof->flow->optimizer.drop_UNPROVEN) > 0,
		   toy.cof->flow);
	assert_int_equal(current(&m0)->number, 0);
	stop_and_balance();
	end_run();
}

static void one_of_another_shape_is_not_believed(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };
	struct toy_method m1 = { .name = "m1", .turns = 128, .step = 1 };
	struct cof_history_record r = record_here(1, 2);

	(void)state;
	host.shape = shape;
	r.method[0].shape = 32;
	r.method[1].shape = 128;
	remember(r);
	start("mode=auto,source=none");
	toy_add(&toy, &m0);
	toy_add(&toy, &m1);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&m0, 1);
	assert_int_equal(call_until_built(&m1), COF_PLAN_SPEED);
	assert_int_equal(current(&m0)->number, 0);
	cof_thread_detach(toy.cof);
	stop();
}

static void a_known_profile_takes_the_place_of_counting(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	refuse = 0;
	start_with_a_profile(&m0);
	assert_int_equal(call_until_built(&m0), COF_PLAN_PROFILE);
	stop_and_balance();
	assert_int_equal(loaded, 1);
	assert_string_equal(loaded_bytes, "seen to run");
	assert_int_equal(counted, 0);
	assert_int_equal(collected, 0);
	assert_int_equal(toy.cof->flow->profile.built, 1);
	end_run();
}

/* Does the version that is built go on trial? */
static bool tries(uint32_t permille, const char *more)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };
	bool tries;

	refuse = 0;
	start_measured(&m0, permille, more);
	assert_int_equal(call_until_built(&m0), COF_PLAN_PROFILE);
	stop_and_balance();
	assert_int_equal(loaded, 1);
	tries = toy.cof->flow->audit.tried == 1;
	assert_int_equal(toy.cof->flow->audit.proven, !tries);
	end_run();
	return tries;
}

/* The host caches no versions: m0 is built anew, from the same profile. */
static void what_was_measured_to_be_faster_is_believed(void **state)
{
	(void)state;
	assert_false(tries(1200, "audit_retry_runs=0"));
	assert_non_null(strstr(logged, "earlier run proved m0: 1.200 times"));
}

static void what_was_not_is_tried(void **state)
{
	(void)state;
	assert_true(tries(980, "audit_retry_runs=0"));
}

static void now_and_then_all_is_tried(void **state)
{
	(void)state;
	assert_true(tries(1200, "audit_retry_runs=1"));
}

/* The run ends before any turn of the trial does. */
static void what_a_trial_saw_is_remembered(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	refuse = 0;
	start_measured(&m0, 0, "audit_turn_ms=10000");
	toy_call(&m0, 1);
	wait_until(m0.method->trial.gain_permille != COF_EXPECTED_GAIN_NONE,
		   toy.cof->flow);
	wait_whole_turn(toy.cof);	/* in which the trial begins */
	cof_method_tried(m0.method, 300, .9);
	atomic_store(&m0.method->samples, 5000);
	atomic_store(&toy.cof->flow->sampler.counted, 5000);
	atomic_store(&toy.cof->flow->sampler.taken, 5000);
	stop_and_balance();
	end_run();
	assert_int_equal(load(1), COF_HISTORY_OK);
	/* Together with those of the run before. */
	assert_int_equal(past.method[0].samples, 1000 + 5000);
	assert_int_equal(past.method[0].plan, COF_PLAN_PROFILE);
	assert_int_equal(past.method[0].audit, COF_HISTORY_UNCLEAR);
	assert_int_equal(past.method[0].measured_permille, 1300);
}

static void one_that_was_hot_and_not_built_counts_at_once(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	host_counts();
	start_after(record_uncounted(), &m0, "");
	toy_call(&m0, 1);
	wait_until(counted, toy.cof->flow);
	stop_and_balance();
	assert_int_equal(counted, 1);
	assert_int_equal(toy.cof->flow->optimizer.known, 1);
	end_run();
}

static void a_profile_the_host_refuses_is_dropped(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	refuse = 1;
	start_with_a_profile(&m0);
	toy_call(&m0, 1);
	wait_until(loaded, toy.cof->flow);
	assert_int_equal(toy_call(&m0, 1).value, 1 + 1024);
	stop_and_balance();
	assert_int_equal(loaded, 1);
	assert_int_equal(toy.cof->flow->profile.built, 0);
	end_run();
}

static uint64_t cost_ns;	/* 0: there is no plan */

static int say_cost(void *ctx, void *method, enum cof_plan now,
		    enum cof_plan plan, struct cof_estimate *out)
{
	(void)ctx, (void)method, (void)now, (void)plan;
	*out = (struct cof_estimate){ .speedup = 1.1, .cost_ns = cost_ns };
	return cost_ns ? 0 : -1;
}

/* Was a known method refused for which nothing is built? */
static bool is_refused(uint64_t cost)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };
	bool refused;

	cost_ns = cost;
	host.estimate = say_cost;
	remember(record_here(1, 1));
	start("mode=auto,source=none");
	toy_add(&toy, &m0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&m0, 1);
	if (host.cached_version)
		cof_ready(toy.cof);
	wait_until(toy.cof->flow->optimizer.known, toy.cof->flow);
	stop_and_balance();
	assert_int_equal(current(&m0)->number, 0);
	refused = m0.method->build.not_worth;
	end_run();
	return refused;
}

static void what_has_no_plan_is_refused(void **state)
{
	(void)state;
	assert_true(is_refused(0));
}

static void what_is_not_worth_it_is_refused(void **state)
{
	(void)state;
	assert_true(is_refused(UINT64_C(1000000000000)));
}

static void what_may_be_worth_it_after_more_runs_is_not(void **state)
{
	(void)state;
	host.cached_version = cache_nothing;
	assert_false(is_refused(UINT64_C(1000000000000)));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup_run, teardown_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_known_hot_set_is_built_without_a_sample),
		T(what_was_there_before_arrives_when_it_is_decided),
		T(what_an_earlier_run_measured_is_proof),
		T(what_was_only_promised_is_none),
		T(one_of_another_shape_is_not_believed),
		T(a_known_profile_takes_the_place_of_counting),
		T(what_was_measured_to_be_faster_is_believed),
		T(what_was_not_is_tried),
		T(now_and_then_all_is_tried),
		T(what_a_trial_saw_is_remembered),
		T(one_that_was_hot_and_not_built_counts_at_once),
		T(a_profile_the_host_refuses_is_dropped),
		T(what_has_no_plan_is_refused),
		T(what_is_not_worth_it_is_refused),
		T(what_may_be_worth_it_after_more_runs_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_cached_versions.c - cached versions are current at once, and believed
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "warm.h"

static void it_is_current_before_the_program_begins(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };
	struct toy_answer answer;

	(void)state;
	start_warm(&m0, "audit=off");
	assert_int_equal(current(&m0)->number, 1);
	assert_int_equal(current(&m0)->plan, COF_PLAN_PROFILE);
	answer = toy_call(&m0, 5);
	assert_int_equal(answer.value, 5 + 1024);
	assert_int_equal(answer.version & 3, COF_PLAN_PROFILE & 3);
	stop_and_balance();
	assert_int_equal(toy.gathered, 0);
	assert_int_equal(loaded, 0);
	assert_int_equal(toy.cof->flow->optimizer.known, 1);
	assert_int_equal(toy.cof->flow->optimizer.cached, 1);
	assert_int_equal(toy.cof->flow->profile.built, 1);
	assert_true(toy.cof->flow->optimizer.cached_bytes > 0);
	end_run();
}

static void what_is_not_cached_is_built(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	has_it = false;
	start_warm(&m0, "audit=off");
	wait_until(current(&m0)->number != 0, toy.cof->flow);
	stop_and_balance();
	assert_int_equal(asked, 1);
	assert_int_equal(loaded, 1);
	assert_int_equal(toy.cof->flow->optimizer.cached, 0);
	assert_int_equal(toy.cof->flow->optimizer.not_cached, 1);
	end_run();
}

static void one_that_was_never_measured_is_tried(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	start_warm(&m0, "audit_retry_runs=0");
	stop_and_balance();
	assert_int_equal(toy.cof->flow->audit.tried, 1);
	assert_int_equal(toy.cof->flow->audit.proven, 0);
	end_run();
}

static void one_that_was_is_believed_and_remembered_so(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	permille = 1456;
	first = COF_PLAN_AVERAGE;
	start_warm(&m0, "audit_retry_runs=0");
	assert_int_equal(current(&m0)->trial.state, COF_AUDIT_PROVEN);
	assert_int_equal(current(&m0)->trial.gain_permille, 456);
	assert_true(current(&m0)->promise.speedup > 1.45);
	/* More samples than the earlier run's: this run's methods become the
	 * hot set. */
	atomic_store(&m0.method->samples, 5000);
	atomic_store(&current(&m0)->sampled.total, 5000);
	atomic_store(&toy.cof->flow->sampler.counted, 5000);
	atomic_store(&toy.cof->flow->sampler.taken, 5000);
	stop_and_balance();
	assert_int_equal(toy.cof->flow->audit.tried, 0);
	assert_int_equal(toy.cof->flow->audit.proven, 1);
	assert_non_null(strstr(logged, "earlier run proved m0: 1.456 times"));
	end_run();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_methods, 1);
	assert_int_equal(past.method[0].audit, COF_HISTORY_KEPT);
	assert_int_equal(past.method[0].measured_permille, 1456);
}

/* It was a twentieth faster than one with the first profile, which the history
 * knows to have been faster than the host's own. */
static void one_with_a_second_profile_is_worth_both(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	permille = 1050;
	over = COF_PLAN_PROFILE;
	start_warm(&m0, "audit_retry_runs=0");
	assert_int_equal(current(&m0)->trial.state, COF_AUDIT_PROVEN);
	assert_int_equal(current(&m0)->trial.gain_permille, 200);
	assert_int_equal(current(&m0)->trial.speed_permille, 1200);
	stop_and_balance();
	end_run();
}

/* Its trial goes on from what the history knows of the first. */
static void of_one_that_was_not_measured_the_first_counts(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	over = COF_PLAN_PROFILE;
	/* No turn of its trial comes while the test looks. */
	start_warm(&m0, "audit_retry_runs=0,generation_ms=60000");
	assert_int_equal(current(&m0)->promise.progress_permille, 1200);
	assert_int_equal(current(&m0)->promise.progress_error, 100);
	assert_in_range(atomic_load(&m0.method->trial.gain_permille), 100, 199);
	stop_and_balance();
	assert_int_equal(toy.cof->flow->audit.tried, 1);
	end_run();
}

/* The earlier run ended before the version was installed, so no gain was
 * promised. */
static void one_that_never_ran_is_promised_what_the_host_says(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	ran = false;
	start_warm(&m0, "audit=off");
	assert_int_equal(current(&m0)->plan, COF_PLAN_PROFILE);
	/* Four to the fourth. */
	assert_true(current(&m0)->promise.speedup > 100);
	stop_and_balance();
	end_run();
}

static void now_and_then_it_is_tried_all_the_same(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	permille = 1456;
	start_warm(&m0, "audit_retry_runs=1");
	stop_and_balance();
	assert_int_equal(toy.cof->flow->audit.tried, 1);
	assert_int_equal(toy.cof->flow->audit.proven, 0);
	end_run();
}

static void what_no_trial_can_see_is_not_tried_again(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	unseen = 1;
	start_warm(&m0, "audit_retry_runs=0");
	assert_int_equal(current(&m0)->plan, COF_PLAN_PROFILE);
	assert_int_equal(current(&m0)->trial.state, COF_AUDIT_NONE);
	stop_and_balance();
	assert_int_equal(toy.cof->flow->audit.tried, 0);
	assert_int_equal(toy.cof->flow->audit.proven, 0);
	assert_int_equal(toy.cof->flow->audit.unseen, 1);
	end_run();
}

static void but_now_and_then_it_is(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	unseen = 1;
	start_warm(&m0, "audit_retry_runs=1");
	stop_and_balance();
	assert_int_equal(toy.cof->flow->audit.tried, 1);
	end_run();
}

/* The version with the older profile is current at once, and the one with the
 * newer profile is tried against it. */
static void with_a_profile_far_from_its_own_it_is_built_anew(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	permille = 1456;
	drift = 600;
	start_warm(&m0, "audit_retry_runs=0");
	assert_true(current(&m0)->number != 0);
	assert_int_equal(current(&m0)->plan, COF_PLAN_PROFILE);
	wait_until(toy.cof->flow->profile.built == 2, toy.cof->flow);
	wait_until(toy.cof->flow->audit.tried == 1, toy.cof->flow);
	stop_and_balance();
	assert_int_equal(loaded, 1);
	assert_int_equal(toy.cof->flow->optimizer.cached, 1);
	assert_int_equal(toy.cof->flow->optimizer.renewed, 1);
	assert_int_equal(toy.cof->flow->profile.reprofiled, 1);
	end_run();
}

static void with_one_that_is_near_it_is_not(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	permille = 1456;
	drift = 100;
	start_warm(&m0, "audit_retry_runs=0");
	stop_and_balance();
	assert_int_equal(loaded, 0);
	assert_int_equal(toy.cof->flow->profile.picked, 1);
	end_run();
}

/* A trial cannot tell at once which of three versions is the best. */
static void nor_before_it_was_measured(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	drift = 600;
	start_warm(&m0, "audit_retry_runs=0");
	stop_and_balance();
	assert_int_equal(toy.cof->flow->audit.tried, 1);
	assert_int_equal(loaded, 0);
	end_run();
}

static void faster_than_worse_code_is_no_proof(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	permille = 3000;
	over = COF_PLAN_NONE;
	first = COF_PLAN_AVERAGE;
	start_warm(&m0, "audit_retry_runs=0");
	stop_and_balance();
	assert_int_equal(toy.cof->flow->audit.tried, 1);
	assert_int_equal(toy.cof->flow->audit.proven, 0);
	end_run();
}

static void nobody_waits_where_nothing_is_known(void **state)
{
	struct toy_method m0 = { .name = "other", .turns = 1024, .step = 1 };

	(void)state;
	cof_ready(NULL);
	start_warm(&m0, "");
	stop_and_balance();
	assert_int_equal(asked, 0);
	end_run();
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup_cached, teardown_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(it_is_current_before_the_program_begins),
		T(what_is_not_cached_is_built),
		T(one_that_was_never_measured_is_tried),
		T(one_that_was_is_believed_and_remembered_so),
		T(one_with_a_second_profile_is_worth_both),
		T(of_one_that_was_not_measured_the_first_counts),
		T(one_that_never_ran_is_promised_what_the_host_says),
		T(now_and_then_it_is_tried_all_the_same),
		T(what_no_trial_can_see_is_not_tried_again),
		T(but_now_and_then_it_is),
		T(with_a_profile_far_from_its_own_it_is_built_anew),
		T(with_one_that_is_near_it_is_not),
		T(nor_before_it_was_measured),
		T(faster_than_worse_code_is_no_proof),
		T(nobody_waits_where_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

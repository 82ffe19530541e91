/*
 * test_told.c - what trials tell the host, and what a later run makes of it
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "audited.h"

/* The host was told once: B stays, and how fast it is. */
static void assert_told_once(unsigned lo, unsigned hi)
{
	assert_int_equal(told, 1);
	assert_int_equal(stayed, 1);
	assert_in_range(told_permille, lo, hi);
}

static void the_host_is_told_how_what_has_a_profile_came_off(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };

	(void)state;
	cost[0] = 0.5;
	b[0] = build(0, 1, profiled);
	until_the_end(b);
	assert_told_once(1300, 3000);
	assert_int_equal(told_over, COF_PLAN_NONE);
	cost[1] = 1.5;
	b[1] = build(1, 11, profiled);
	until_the_end(b);
	assert_int_equal(told, 2);
	assert_int_equal(stayed, 1);
	cost[2] = 1.2;
	b[2] = build(2, 21, speed);
	until_the_end(b);
	assert_int_equal(told, 2);
}

/* B takes that part of A's time until the host is told. The trial goes on. */
static void slices_until_told(const struct cof_version *b[METHODS], double part)
{
	unsigned before = told;

	cost[0] = part;
	while (told == before && cof->flow->audit.now > 0)
		slice(b);
	assert_int_equal(cof->flow->audit.now, 1);
}

/* The next run knows it then, if this run ends before the trial does. */
static void what_is_likely_is_told_before_it_is_certain(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };

	(void)state;
	b[0] = build(0, 1, profiled);
	cof_audit_turn(cof, NULL);
	slices_until_told(b, 0.98);
	assert_told_once(1001, 1030);
	slices_until_told(b, 1.1);
	assert_int_equal(stayed, 2);
	assert_int_equal(told_permille, 0);
	until_the_end(b);
	assert_int_equal(told, 3);
	assert_int_equal(stayed, 2);
}

static void what_turns_out_to_be_more_is_told_again(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	unsigned at_first;

	(void)state;
	b[0] = build(0, 1, profiled);
	cof_audit_turn(cof, NULL);
	slices_until_told(b, 0.98);
	at_first = told_permille;
	slices_until_told(b, 0.7);
	assert_int_equal(told, 2);
	assert_int_equal(stayed, 2);
	assert_true(told_permille > at_first + 80);
	until_the_end(b);
}

/* The slices that a trial takes to find a gain of 5 %. */
static unsigned slices_for(struct built how)
{
	const struct cof_version *b[METHODS] = { 0 };
	unsigned n = 0;

	cost[0] = 0.95;
	b[0] = build(0, 1, how);
	cof_audit_turn(cof, NULL);
	for (; cof->flow->audit.now > 0; n++)
		slice(b);
	assert_ptr_equal(current(0), b[0]);
	return n;
}

static void a_trial_goes_on_where_an_earlier_runs_ended(void **state)
{
	struct built how = profiled;
	unsigned anew = slices_for(how), errors[2];

	(void)state;
	assert_true(progress_told > 1);
	assert_in_range(progress_permille, 1020, 1090);
	errors[0] = progress_error;
	cof_audit_stop(cof);
	how.progress_permille = progress_permille;
	how.progress_error = progress_error;
	assert_true(slices_for(how) < anew);
	/* The host is told again only once the error is smaller. */
	errors[1] = progress_error;
	assert_true(errors[1] <= errors[0]);
}

static void what_contradicts_an_earlier_run_wins_in_the_end(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	struct built how = profiled;
	struct cof_version *a = current(0);

	(void)state;
	how.progress_permille = 1100;
	how.progress_error = 20;
	cost[0] = 1.2;
	b[0] = build(0, 1, how);
	until_the_end(b);
	assert_ptr_equal(current(0), a);
	assert_int_equal(cof->flow->audit.rolled_back, 1);
}

/* n slices at most, in which B takes `part` of A's time, or that many times
 * more or less by turns. */
static const struct cof_version *retried(double part, double noise, unsigned n)
{
	static const struct cof_version *b[METHODS];
	struct built how = profiled;

	how.proven_permille = 3000;
	b[0] = build(0, 1, how);
	cof_audit_turn(cof, NULL);
	while (n-- > 0 && cof->flow->audit.now > 0) {
		cost[0] = n / 4 % 2 ? part * noise : part / noise;
		slice(b);
	}
	return b[0];
}

/* It knows less when it ends, however often the run is cut short. */
static void what_a_retry_has_seen_so_far_replaces_no_proof(void **state)
{
	(void)state;
	retried(0.3, 3, 60);
	assert_int_equal(cof->flow->audit.now, 1);
	assert_int_equal(told, 0);
	/* The history is told of the proof too. */
	assert_int_equal(method[0]->trial.gain_permille, 2000);
	assert_int_equal(method[0]->trial.weight_permille, 1000);
}

static void a_retry_that_ends_unclear_leaves_the_proof(void **state)
{
	const struct cof_version *b;

	(void)state;
	cof->opts.audit_s = 1;
	b = retried(1.05, 3, 10000);
	assert_int_equal(cof->flow->audit.now, 0);
	assert_int_equal(cof->flow->audit.unclear_kept, 1);
	assert_ptr_equal(current(0), b);
	assert_int_equal(told, 0);
}

static void what_a_retry_finds_replaces_the_proof(void **state)
{
	(void)state;
	retried(0.5, 1, 10000);
	assert_int_equal(cof->flow->audit.kept, 1);
	assert_int_equal(told_stays, 1);
	assert_in_range(told_permille, 1300, 2999);
}

static void a_retry_that_is_slower_ends_the_version(void **state)
{
	(void)state;
	retried(1.5, 1, 10000);
	assert_int_equal(cof->flow->audit.rolled_back, 1);
	assert_int_equal(told, 1);
	assert_int_equal(told_stays, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define RETRY(name) \
	cmocka_unit_test_setup_teardown(name, setup_retry, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_host_is_told_how_what_has_a_profile_came_off),
		TEST(what_is_likely_is_told_before_it_is_certain),
		TEST(what_turns_out_to_be_more_is_told_again),
		TEST(a_trial_goes_on_where_an_earlier_runs_ended),
		TEST(what_contradicts_an_earlier_run_wins_in_the_end),
		RETRY(what_a_retry_has_seen_so_far_replaces_no_proof),
		RETRY(a_retry_that_ends_unclear_leaves_the_proof),
		RETRY(what_a_retry_finds_replaces_the_proof),
		RETRY(a_retry_that_is_slower_ends_the_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

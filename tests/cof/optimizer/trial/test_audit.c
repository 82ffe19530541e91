/*
 * test_audit.c - trials begin and end, by verdict or without; plans are banned
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "audited.h"

static void what_is_slower_is_rolled_back_and_what_is_faster_kept(void **state)
{
	struct cof_version *a[METHODS], *b[METHODS];

	(void)state;
	cost[0] = 1.2;
	cost[1] = 0.7;
	cost[2] = 1.2;
	for (int i = 0; i < METHODS; i++) {
		a[i] = current(i);
		b[i] = build(i, 10 * i + 1, speed);
		assert_true(cof_method_on_trial(method[i]));
		assert_int_equal(b[i]->trial.state, COF_AUDIT_TRIAL);
	}
	until_the_end((const struct cof_version **)b);
	for (int i = 0; i < METHODS; i++) {
		assert_int_equal(run(i), 10 * i + (i == 1));
		assert_false(cof_method_on_trial(method[i]));
		assert_int_equal((i == 1 ? a : b)[i]->state,
				 COF_VERSION_RETIRED);
		assert_int_equal((i == 1 ? b : a)[i]->state,
				 COF_VERSION_CURRENT);
		assert_int_equal(cof_word_read(&current(i)->word).flags, 0);
	}
	assert_int_equal(cof->flow->audit.rolled_back, 2);
	assert_int_equal(cof->flow->audit.kept, 1);
	assert_int_equal(a[0]->trial.state, COF_AUDIT_BACK);
	assert_in_range(a[0]->trial.gain_permille + 1000, 700, 920);
	assert_int_equal(b[1]->trial.state, COF_AUDIT_KEPT);
	assert_in_range(b[1]->trial.gain_permille, 250, 600);
}

static void a_plan_is_put_off_longer_each_time_and_then_banned(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	uint64_t length = cof->opts.backoff_generations;

	(void)state;
	cost[0] = 1.5;
	for (unsigned n = 1; n <= cof->opts.audit_bans; n++) {
		assert_false(cof_audit_banned(method[0], COF_PLAN_SPEED));
		b[0] = build(0, 1, speed);
		until_the_end(b);
		assert_int_equal(run(0), 0);
		assert_true(cof_audit_banned(method[0], COF_PLAN_SPEED));
		assert_false(cof_audit_banned(method[0], COF_PLAN_AVERAGE));
		assert_false(cof_audit_banned(method[1], COF_PLAN_SPEED));
		if (n == cof->opts.audit_bans)
			break;
		cof->generation += (length << (n - 1)) - 1;
		assert_true(cof_audit_banned(method[0], COF_PLAN_SPEED));
		cof->generation++;
	}
	cof->generation += UINT64_C(1) << 40;
	assert_true(cof_audit_banned(method[0], COF_PLAN_SPEED));
	assert_int_equal(cof->flow->audit.banned, 1);
	assert_int_equal(cof->flow->audit.rollbacks, cof->opts.audit_bans);
}

static void estimates_are_corrected_by_what_was_measured(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };

	(void)state;
	assert_true(cof_audit_expect(cof, COF_PLAN_SPEED, 1.5) == 1.5);
	for (int i = 0; i < METHODS; i++)
		cost[i] = 0.95;
	for (int i = 0; i < METHODS; i++)
		b[i] = build(i, 1, speed);
	until_the_end(b);
	assert_true(cof_audit_expect(cof, COF_PLAN_SPEED, 1.5) < 1.25);
	assert_true(cof_audit_expect(cof, COF_PLAN_AVERAGE, 1.5) == 1.5);
}

/* The builds were picked before any result was there, or in an earlier run.
 * What was learned meanwhile is no part of what was promised. */
static void what_was_learned_is_not_learned_again(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };

	(void)state;
	for (int n = 0; n < 20; n++) {
		cost[0] = 1 / 1.8;	/* 1.2 times what was promised */
		b[0] = build(0, 1 + n % 2, speed);
		until_the_end(b);
	}
	assert_int_equal(cof->flow->audit.kept, 20);
	assert_true(cof_audit_expect(cof, COF_PLAN_SPEED, 1) > 1.1);
	assert_true(cof_audit_expect(cof, COF_PLAN_SPEED, 1) < 1.25);
}

static void a_group_is_switched_and_decided_as_one(void **state)
{
	const struct built in_unit = { .plan = COF_PLAN_PROFILE, .unit = 7 };
	const struct cof_version *b[METHODS] = { 0 };

	(void)state;
	cost[0] = 0.4;		/* faster together, although one is slower */
	cost[1] = 1.2;
	b[0] = build(0, 1, in_unit);
	b[1] = build(1, 11, in_unit);
	cof_audit_turn(cof, NULL);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(current(0) == b[0], current(1) == b[1]);
		slice(b);
	}
	until_the_end(b);
	assert_int_equal(cof->flow->audit.kept, 2);
	assert_int_equal(run(0), 1);
	assert_int_equal(run(1), 11);
}

static void what_counts_is_not_on_trial_but_what_comes_after_it(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	struct cof_version *a = current(0), *counting;

	(void)state;
	cost[0] = 1.3;
	counting = build(0, 5, (struct built){ .counting = true });
	assert_false(cof_method_on_trial(method[0]));
	assert_int_equal(a->state, COF_VERSION_PARKED);
	assert_ptr_equal(method[0]->trial.base, a);
	b[0] = build(0, 1, (struct built){ .plan = COF_PLAN_PROFILE });
	assert_int_equal(counting->state, COF_VERSION_RETIRED);
	assert_null(method[0]->trial.base);
	until_the_end(b);
	assert_ptr_equal(current(0), a);
	assert_int_equal(cof->flow->audit.tried, 1);
	assert_int_equal(cof->flow->audit.rolled_back, 1);
}

static void a_hosts_version_ends_the_trial(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };

	(void)state;
	b[0] = build(0, 1, speed);
	cof_audit_turn(cof, NULL);
	slice(b);
	piece_add_return(cof, method[0], 99);
	until_the_end(b);
	assert_int_equal(cof->flow->audit.drop_REPLACED, 1);
	assert_int_equal(run(0), 99);
	assert_false(cof_method_on_trial(method[0]));
}

static void the_others_of_its_unit_have_what_looks_better(void **state)
{
	const struct built in_unit = { .plan = COF_PLAN_PROFILE, .unit = 7 };
	const struct cof_version *b[METHODS] = { 0 };

	(void)state;
	cost[0] = cost[1] = 0.8;
	b[0] = build(0, 1, in_unit);
	b[1] = build(1, 11, in_unit);
	cof_audit_turn(cof, NULL);
	for (int i = 0; i < 8 || current(1) == b[1]; i++)
		slice(b);
	piece_add_return(cof, method[0], 99);
	cof_audit_turn(cof, NULL);
	assert_int_equal(cof->flow->audit.drop_REPLACED, 2);
	assert_int_equal(run(0), 99);
	assert_ptr_equal(current(1), b[1]);
}

static void
a_build_during_a_trial_is_compared_with_what_was_current(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	struct cof_version *was;

	(void)state;
	cost[0] = 1.3;
	b[0] = build(0, 1, speed);
	cof_audit_turn(cof, NULL);
	slice(b);
	was = current(0);
	b[0] = build(0, 2, speed);
	assert_int_equal(cof->flow->audit.drop_REPLACED, 1);
	assert_int_equal(was->state, COF_VERSION_PARKED);
	until_the_end(b);
	assert_ptr_equal(current(0), was);
}

static void what_is_inlined_belongs_to_what_is_compared(void **state)
{
	const struct built how = { .plan = COF_PLAN_SPEED,
				   .inlined = method[1] };
	const struct cof_version *b[METHODS] = { 0 };

	(void)state;
	cost[0] = 1;
	b[0] = build(0, 1, how);
	cof_audit_turn(cof, NULL);
	for (int i = 0; i < 10; i++)
		assert_int_equal(method[1]->thunk.inside, 1);
	until_the_end((cost[0] = 1.3, b));
	assert_int_equal(cof->flow->audit.rolled_back, 1);
	assert_int_equal(method[1]->thunk.inside, 0);
}

/* Threads stay in A, whatever version is current. */
static void threads_that_do_not_follow_leave_nothing_to_see(void **state)
{
	struct cof_version *a = current(0), *b = build(0, 1, speed);

	(void)state;
	cof_audit_turn(cof, NULL);
	while (cof->flow->audit.now > 0) {
		credit(a, 100);
		slices = cof->flow->audit.turns;
		while (cof->flow->audit.turns == slices &&
		       cof->flow->audit.now > 0)
			cof_audit_turn(cof, NULL);
	}
	assert_int_equal(cof->flow->audit.drop_UNSEEN, 1);
	assert_ptr_equal(current(0), b);
	assert_int_equal(b->trial.state, COF_AUDIT_NONE);
}

/* The slices that are v's turn, of n, before anything is known. */
static unsigned turns_of(const struct cof_version *v, unsigned n)
{
	const struct cof_version *b[METHODS] = { v };
	unsigned turns = 0;

	while (n-- > 0) {
		turns += current(0) == v;
		slice(b);
	}
	return turns;
}

static void what_was_cached_has_three_turns_of_four_at_once(void **state)
{
	struct built how = speed;

	(void)state;
	build(0, 1, how);
	cof_audit_turn(cof, NULL);
	/* Blocks of two and of four turns; it may be within a block. */
	assert_in_range(turns_of(current(0), 20), 9, 11);
	cof_audit_stop(cof);
	how.early = true;
	build(0, 2, how);
	atomic_fetch_add(&cof->generation, 4);	/* not tried before that */
	cof_audit_turn(cof, NULL);
	while (cof->flow->audit.now == 0)
		cof_audit_turn(cof, NULL);
	assert_in_range(turns_of(current(0), 40), 29, 31);
}

static void a_trial_that_shows_nothing_ends(void **state)
{
	struct cof_version *b = build(0, 1, speed);

	(void)state;
	cof_audit_turn(cof, NULL);
	while (cof->flow->audit.now > 0)
		cof_audit_turn(cof, NULL);
	assert_int_equal(cof->flow->audit.drop_UNSEEN, 1);
	assert_ptr_equal(current(0), b);
}

static void the_end_of_the_instance_ends_trials(void **state)
{
	struct cof_version *counting;

	(void)state;
	build(0, 1, speed);
	cof_audit_turn(cof, NULL);
	build(1, 2, speed);	/* waits for the slice's end */
	counting = build(2, 3, (struct built){ .counting = true });
	cof_audit_stop(cof);
	assert_int_equal(cof->flow->audit.drop_STOPPED, 2);
	assert_ptr_equal(current(2), counting);
	assert_int_equal(cof->flow->patcher.parked, 0);
}

/* Nor is it tried against another like it; against a third it is. */
static void what_has_the_first_versions_code_is_not_tried(void **state)
{
	struct built same = { .plan = COF_PLAN_PROFILE, .same = true };
	struct cof_version *b;

	(void)state;
	build(0, 1, same);
	b = build(0, 2, same);
	assert_int_equal(cof->flow->audit.same, 2);
	assert_int_equal(cof->flow->audit.tried, 0);
	assert_ptr_equal(current(0), b);
	build(0, 3, profiled);
	assert_int_equal(cof->flow->audit.tried, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define SHORT(name) cmocka_unit_test_setup_teardown(name, setup_short, teardown)
	const struct CMUnitTest tests[] = {
		TEST(what_has_the_first_versions_code_is_not_tried),
		TEST(what_is_slower_is_rolled_back_and_what_is_faster_kept),
		TEST(a_plan_is_put_off_longer_each_time_and_then_banned),
		TEST(estimates_are_corrected_by_what_was_measured),
		TEST(what_was_learned_is_not_learned_again),
		TEST(a_group_is_switched_and_decided_as_one),
		TEST(what_counts_is_not_on_trial_but_what_comes_after_it),
		TEST(a_hosts_version_ends_the_trial),
		TEST(the_others_of_its_unit_have_what_looks_better),
		TEST(a_build_during_a_trial_is_compared_with_what_was_current),
		TEST(what_is_inlined_belongs_to_what_is_compared),
		TEST(threads_that_do_not_follow_leave_nothing_to_see),
		TEST(what_was_cached_has_three_turns_of_four_at_once),
		SHORT(a_trial_that_shows_nothing_ends),
		TEST(the_end_of_the_instance_ends_trials),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

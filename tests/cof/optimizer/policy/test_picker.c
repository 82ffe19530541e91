/*
 * test_picker.c - each forecast becomes a build or one counted drop
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "picker.h"

static void a_hot_method_with_a_better_plan_is_built(void **state)
{
	struct cof_build *b = look();

	(void)state;
	assert_non_null(b);
	assert_ptr_equal(b->method, &method);
	assert_int_equal(b->over, 7);
	assert_int_equal(b->plan, COF_PLAN_SPEED);
	assert_true(b->speedup == 2.0);
	assert_int_equal(b->estimated_ns, 10 * MS);
	assert_true(method.build.pending);
	assert_int_equal(method.build.tried, 1);
	assert_int_equal(method.build.improved.why, COF_IMPROVED_UNDER_WAY);
	assert_true(flags() & COF_WORD_SETTLED);
	assert_int_equal(asked, 3);
	cof_mem_free(b);
}

static void a_build_that_ended_makes_room_for_the_next(void **state)
{
	struct cof_build *b = look(), *b2;

	(void)state;
	assert_non_null(b);
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_BUSY, 1);
	assert_ptr_equal(cof_picker_ended(&picker, b), &version);
	assert_false(flags() & COF_WORD_SETTLED);
	b2 = look();
	assert_non_null(b2);
	assert_int_equal(method.build.tried, 2);
	cof_mem_free(b);
	cof_mem_free(b2);
}

static void a_build_for_a_version_replaced_meanwhile_ends_without_one(
	void **state)
{
	struct cof_version newer = { .method = &method, .number = 8 };
	struct cof_build *b = look();

	(void)state;
	assert_non_null(b);
	atomic_store(&method.current, &newer);
	assert_null(cof_picker_ended(&picker, b));
	assert_false(method.build.pending);
	cof_mem_free(b);
}

static void what_is_not_current_is_stale(void **state)
{
	struct cof_version newer = { .method = &method, .number = 8 };

	(void)state;
	atomic_store(&method.current, &newer);
	assert_null(look());
	atomic_store(&method.current, &version);
	cof_word_flags(&version.word, COF_WORD_DEAD, 0);
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_STALE, 2);
	assert_int_equal(asked, 0);
}

static void no_better_plan_marks_the_method(void **state)
{
	(void)state;
	no_plan = 1;
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_NO_ESTIMATE, 1);
	assert_int_equal(method.backoff.reason, COF_BACKOFF_NO_ESTIMATE);
	assert_int_equal(method.build.improved.why, COF_IMPROVED_NO_ESTIMATE);
	assert_true(flags() & COF_WORD_SETTLED);
	assert_int_equal(flow.optimizer.backed_off, 1);

	no_plan = 0;
	asked = 0;
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_BACKED_OFF, 1);
	assert_int_equal(asked, 0);
}

static void a_mark_that_expired_is_taken_off(void **state)
{
	struct cof_build *b;

	(void)state;
	no_plan = 1;
	assert_null(look());
	atomic_store(&cof.generation, 49);
	cof_picker_expire(&cof, &picker);
	assert_true(flags() & COF_WORD_SETTLED);
	atomic_store(&cof.generation, 50);
	cof_picker_expire(&cof, &picker);
	assert_false(flags() & COF_WORD_SETTLED);
	assert_int_equal(flow.optimizer.backed_off, 0);
	no_plan = 0;
	b = look();
	assert_non_null(b);
	cof_mem_free(b);
}

static void the_highest_plan_stays_settled_when_its_mark_expires(void **state)
{
	(void)state;
	version.plan = COF_PLAN_SPEED;
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_NO_ESTIMATE, 1);
	atomic_store(&cof.generation, 50);
	cof_picker_expire(&cof, &picker);
	assert_true(flags() & COF_WORD_SETTLED);
}

static void a_past_too_short_is_not_worth_it_until_it_grows(void **state)
{
	struct cof_build *b;

	(void)state;
	atomic_store(&version.sampled.total, 4);		/* 16 ms */
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_NOT_WORTH, 1);
	atomic_store(&version.sampled.total, 8);
	atomic_store(&cof.generation, 49);
	cof_picker_expire(&cof, &picker);
	b = look();
	assert_non_null(b);
	cof_mem_free(b);
}

static void time_spent_in_former_versions_counts(void **state)
{
	struct cof_build *b;

	(void)state;
	atomic_store(&version.sampled.total, 1);
	method.build.past_ns = 100 * MS;
	assert_true(cof_sampled_time_past_ns(&cof, &version) == 104 * MS);
	b = look();
	assert_non_null(b);
	cof_mem_free(b);
}

static void a_limit_of_n_builds_stops_after_n(void **state)
{
	struct cof_build *b;

	(void)state;
	cof.opts.limit = 3;
	for (int i = 0; i < 3; i++) {
		b = look();
		assert_non_null(b);
		cof_picker_ended(&picker, b);
		cof_mem_free(b);
	}
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_LIMIT, 1);
}

static void a_budget_of_zero_never_builds(void **state)
{
	(void)state;
	cof.opts.build_pct = 0;
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_NO_BUDGET, 1);
	assert_int_equal(asked, 0);
}

static void mode_auto_spends_only_its_part_until_a_gain_is_proven(
	void **state)
{
	struct cof_build *b;

	(void)state;
	cof.opts.unproven_pct = 0;
	cof.opts.mode = COF_MODE_FULL;
	b = look();		/* mode full: the user has decided */
	assert_non_null(b);
	cof_picker_ended(&picker, b);
	cof_mem_free(b);
	cof.opts.mode = COF_MODE_AUTO;
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_UNPROVEN, 1);
	assert_int_equal(method.backoff.reason, COF_BACKOFF_NOT_WORTH);
	cof_unproven_budget_learn(&cof.unproven, 1.1, 1);
	atomic_store(&cof.generation, 50);
	cof_picker_expire(&cof, &picker);
	b = look();
	assert_non_null(b);
	cof_mem_free(b);
}

static void nearly_full_code_memory_is_left_for_tier_0(void **state)
{
	struct cof_build *b;

	(void)state;
	cof_count_set(&flow.patcher.code_first, 900 << 10);
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_CODE_FULL, 1);
	assert_int_equal(method.backoff.reason, COF_BACKOFF_NO);
	cof_count_set(&flow.patcher.code_first, 800 << 10);	/* reclaimed */
	b = look();
	assert_non_null(b);
	cof_mem_free(b);
}

static void a_host_without_estimates_gets_no_builds(void **state)
{
	(void)state;
	cof.host.estimate = NULL;
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_NO_ESTIMATE, 1);
}

static void run_stress(uint32_t seed, enum cof_plan plans[64])
{
	cof.opts.stress = seed;
	cof_picker_init(&picker, &cof.opts);
	memset(&flow.optimizer, 0, sizeof(flow.optimizer));
	for (int i = 0; i < 64; i++) {
		struct cof_build *b = look();

		assert_non_null(b);
		assert_false(flags() & COF_WORD_SETTLED);
		plans[i] = b->plan;
		cof_picker_mark(&cof, &picker, &method, COF_BACKOFF_DECLINED);
		cof_picker_ended(&picker, b);
		cof_mem_free(b);
	}
}

static void stress_builds_everything_with_plans_that_follow_the_seed(
	void **state)
{
	enum cof_plan a[64], b[64], c[64];
	unsigned seen[COF_PLAN_COUNT] = { 0 };

	(void)state;
	no_plan = 1;
	version.plan = COF_PLAN_SPEED;
	run_stress(1, a);
	run_stress(2, b);
	run_stress(1, c);
	assert_memory_equal(a, c, sizeof(a));
	assert_memory_not_equal(a, b, sizeof(a));
	for (int i = 0; i < 64; i++)
		seen[a[i]]++;
	assert_int_equal(seen[COF_PLAN_NONE], 0);
	assert_true(seen[COF_PLAN_STATIC] && seen[COF_PLAN_AVERAGE] &&
		    seen[COF_PLAN_SPEED]);
	assert_int_equal(asked, 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_hot_method_with_a_better_plan_is_built),
		T(a_build_that_ended_makes_room_for_the_next),
		T(a_build_for_a_version_replaced_meanwhile_ends_without_one),
		T(what_is_not_current_is_stale),
		T(no_better_plan_marks_the_method),
		T(a_mark_that_expired_is_taken_off),
		T(the_highest_plan_stays_settled_when_its_mark_expires),
		T(a_past_too_short_is_not_worth_it_until_it_grows),
		T(time_spent_in_former_versions_counts),
		T(a_limit_of_n_builds_stops_after_n),
		T(a_budget_of_zero_never_builds),
		T(mode_auto_spends_only_its_part_until_a_gain_is_proven),
		T(nearly_full_code_memory_is_left_for_tier_0),
		T(a_host_without_estimates_gets_no_builds),
		T(stress_builds_everything_with_plans_that_follow_the_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

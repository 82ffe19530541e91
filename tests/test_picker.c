/*
 * test_picker.c - each forecast becomes a build or one counted drop
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "instance.h"
#include "mem.h"
#include "optimizer/ask.h"
#include "optimizer/picker.h"
#include "role.h"

#define MS 1000000u

static struct cof cof;
static struct cof_flow flow;
static struct cof_picker picker;
static struct cof_method method;
static struct cof_version version;
static struct cof_estimate offer[COF_PLAN_COUNT];
static int no_plan;		/* what estimate() returns */
static unsigned asked;

static int fake_estimate(void *ctx, void *m, enum cof_plan now,
			 enum cof_plan plan, struct cof_estimate *out)
{
	assert_ptr_equal(ctx, &cof);
	assert_ptr_equal(m, &method);
	assert_int_equal(now, version.plan);
	assert_true(plan > now);
	asked++;
	*out = offer[plan];
	return no_plan;
}

static int setup(void **state)
{
	(void)state;
	cof_role = COF_ROLE_PICKER;
	memset(&cof, 0, sizeof(cof));
	memset(&flow, 0, sizeof(flow));
	memset(&method, 0, sizeof(method));
	memset(&version, 0, sizeof(version));
	memset(offer, 0, sizeof(offer));
	no_plan = 0;
	asked = 0;
	cof.flow = &flow;
	cof.host = (struct cof_host){
		.size = sizeof(cof.host), .name = "fake", .ctx = &cof,
		.estimate = fake_estimate,
	};
	cof_opts_init(&cof.opts);
	cof.opts.ignore_generations = 50;
	cof.opts.gain_pct = 2;
	cof_count_set(&flow.sampler.period_ns, 4 * MS);
	cof_count_set(&flow.patcher.code_reserved, 1 << 20);
	method.cof = &cof;
	method.data = &method;
	method.name = (char *)"hot";
	version.method = &method;
	version.number = 7;
	atomic_store(&version.samples, 100);		/* 400 ms */
	atomic_store(&method.current, &version);
	offer[COF_PLAN_SPEED] = (struct cof_estimate){ 2.0, 10 * MS };
	cof_picker_init(&picker, &cof.opts);
	return 0;
}

/* What went in came out or was dropped for one reason. */
static int teardown(void **state)
{
	uint64_t in = 0, out = picker.picked;

	(void)state;
	for (size_t i = 0; i < cof_flow_table_len; i++) {
		const struct cof_flow_desc *d = &cof_flow_table[i];

		if (strcmp(d->stage, "optimizer") != 0)
			continue;
		if (d->kind == COF_FLOW_IN)
			in += cof_flow_read(&flow, d);
		if (d->kind == COF_FLOW_DROP)
			out += cof_flow_read(&flow, d);
	}
	cof_picker_free(&picker);
	return in == out ? 0 : -1;
}

static struct cof_build *look(void)
{
	struct cof_forecast f = { .version = &version, .weight = 10 };

	return cof_picker_look(&cof, &picker, &f);
}

static uint16_t flags(void)
{
	return cof_word_read(&version.word).flags;
}

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
	assert_true(method.building);
	assert_int_equal(method.builds, 1);
	assert_true(flags() & COF_WORD_SETTLED);
	assert_int_equal(asked, 3);
	cof_free_mem(b);
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
	assert_int_equal(method.builds, 2);
	cof_free_mem(b);
	cof_free_mem(b2);
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
	assert_false(method.building);
	cof_free_mem(b);
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
	assert_int_equal(method.ignore, COF_IGNORE_NO_ESTIMATE);
	assert_true(flags() & COF_WORD_SETTLED);
	assert_int_equal(flow.optimizer.ignored, 1);

	no_plan = 0;
	asked = 0;
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_IGNORED, 1);
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
	assert_int_equal(flow.optimizer.ignored, 0);
	no_plan = 0;
	b = look();
	assert_non_null(b);
	cof_free_mem(b);
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
	atomic_store(&version.samples, 4);		/* 16 ms */
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_NOT_WORTH, 1);
	atomic_store(&version.samples, 8);
	atomic_store(&cof.generation, 49);
	cof_picker_expire(&cof, &picker);
	b = look();
	assert_non_null(b);
	cof_free_mem(b);
}

static void time_spent_in_former_versions_counts(void **state)
{
	struct cof_build *b;

	(void)state;
	atomic_store(&version.samples, 1);
	method.past_ns = 100 * MS;
	assert_true(cof_ask_past_ns(&cof, &version) == 104 * MS);
	b = look();
	assert_non_null(b);
	cof_free_mem(b);
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
		cof_free_mem(b);
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

static void nearly_full_code_memory_is_left_for_tier_0(void **state)
{
	struct cof_build *b;

	(void)state;
	cof_count_set(&flow.patcher.code_first, 900 << 10);
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_CODE_FULL, 1);
	assert_int_equal(method.ignore, COF_IGNORE_NO);
	cof_count_set(&flow.patcher.code_first, 800 << 10);	/* reclaimed */
	b = look();
	assert_non_null(b);
	cof_free_mem(b);
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
		cof_picker_mark(&cof, &picker, &method, COF_IGNORE_DECLINED);
		cof_picker_ended(&picker, b);
		cof_free_mem(b);
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

/* -- Profiles -------------------------------------------------------------- */

static int fake_instrument(void *ctx, void *ir, const int *stop,
			   struct cof_version_desc *out)
{
	(void)ctx, (void)ir, (void)stop, (void)out;
	return 1;
}

static int fake_collect(void *ctx, void *ir)
{
	(void)ctx, (void)ir;
	return 1;
}

/* A host that can, in `mode`. */
static void with_profiles(enum cof_mode mode)
{
	cof.opts.mode = mode;
	cof.opts.profile_slow_pct = 0;
	cof.host.instrument = fake_instrument;
	cof.host.collect = fake_collect;
	offer[COF_PLAN_PROFILE] = (struct cof_estimate){ 4.0, 16 * MS };
}

static void a_profile_worth_its_while_is_counted_first(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_FULL);
	b = look();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_COUNTING);
	assert_int_equal(b->plan, COF_PLAN_NONE);
	assert_int_equal(b->expected_ns, 2 * MS);
	assert_int_equal(method.profile->state, COF_PROFILE_STARTING);
	assert_int_equal(method.profile->over, 7);
	assert_true(method.profile->speedup == 4.0);
	assert_int_equal(method.profile->estimated_ns, 16 * MS);
	assert_true(flags() & COF_WORD_SETTLED);
	cof_picker_ended(&picker, b);
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_BUSY, 1);
	cof_free_mem(b);
}

static void counting_that_costs_more_than_it_brings_is_left_out(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_FULL);
	/* 10 samples in each of two generations, at 10 times the time. */
	cof.opts.profile_slow_pct = 1000;
	b = look();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_PLAN);
	assert_int_equal(b->plan, COF_PLAN_SPEED);
	cof_free_mem(b);
}

static void modes_and_hosts_without_profiles_do_not_ask(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_CO);
	b = look();
	assert_non_null(b);
	assert_int_equal(asked, 3);
	assert_int_equal(cof_ask_top(&cof), COF_PLAN_SPEED);
	cof_free_mem(b);
	cof_picker_ended(&picker, &(struct cof_build){ .method = &method });
	cof.opts.mode = COF_MODE_FULL;
	assert_int_equal(cof_ask_top(&cof), COF_PLAN_PROFILE);
	cof.host.collect = NULL;
	assert_int_equal(cof_ask_top(&cof), COF_PLAN_SPEED);
}

static void who_had_a_chance_in_this_phase_waits_for_the_next(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_FULL);
	b = look();
	assert_non_null(b);
	cof_picker_ended(&picker, b);
	cof_free_mem(b);
	cof_profile_enter(&picker.profiles, method.profile, COF_PROFILE_NO, 0);
	b = look();
	assert_non_null(b);
	assert_int_equal(b->plan, COF_PLAN_SPEED);
	cof_picker_ended(&picker, b);
	cof_free_mem(b);
	cof_count_add(&flow.predictor.phase_changes, 1);
	b = look();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_COUNTING);
	cof_free_mem(b);
}

static void a_profile_that_is_there_is_built_with_at_once(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_FULL);
	cof.opts.profile_slow_pct = 1000;	/* not paid again */
	assert_non_null(cof_profiles_of(&picker.profiles, &method));
	cof_profile_picked(method.profile, 0);
	method.profile->collected = true;
	cof_profile_enter(&picker.profiles, method.profile, COF_PROFILE_HAS,
			  0);
	b = look();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_PLAN);
	assert_int_equal(b->plan, COF_PLAN_PROFILE);
	cof_free_mem(b);
}

static void another_phase_reopens_what_has_a_profile(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_FULL);
	version.plan = COF_PLAN_PROFILE;
	assert_non_null(cof_profiles_of(&picker.profiles, &method));
	cof_profile_picked(method.profile, 0);
	method.profile->collected = true;
	method.profile->estimated_ns = 1 * MS;
	cof_profile_enter(&picker.profiles, method.profile, COF_PROFILE_HAS,
			  0);
	cof_word_flags(&version.word, COF_WORD_SETTLED, 0);
	cof_picker_reopen(&cof, &picker);
	assert_true(flags() & COF_WORD_SETTLED);
	cof_count_add(&flow.predictor.phase_changes, 1);
	cof_picker_reopen(&cof, &picker);
	assert_false(flags() & COF_WORD_SETTLED);

	cof.opts.profile_slow_pct = 0;
	atomic_store(&version.samples, 10000);
	b = look();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_COUNTING);
	assert_int_equal(asked, 0);	/* no host knows */
	cof_free_mem(b);
}

static struct cof_build *look_fresh(void)
{
	version.number = 0;
	return cof_picker_fresh(&cof, &picker, &method);
}

static void what_was_just_compiled_counts_whatever_it_ran(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_PGO);
	atomic_store(&version.samples, 0);
	b = look_fresh();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_COUNTING);
	assert_int_equal(asked, 1);
	assert_int_equal(flow.optimizer.fresh, 1);
	cof_free_mem(b);
}

static void what_was_just_compiled_is_dropped_for_the_same_reasons(
	void **state)
{
	(void)state;
	with_profiles(COF_MODE_PGO);
	no_plan = 1;
	assert_null(look_fresh());
	no_plan = 0;
	offer[COF_PLAN_PROFILE].speedup = 1;
	assert_null(look_fresh());
	assert_int_equal(flow.optimizer.drop_NO_ESTIMATE, 2);
	cof.opts.limit = 0;
	assert_null(look_fresh());
	assert_int_equal(flow.optimizer.drop_LIMIT, 1);
	version.number = 2;
	assert_null(cof_picker_fresh(&cof, &picker, &method));
	assert_int_equal(flow.optimizer.drop_STALE, 1);
	atomic_store(&method.current, NULL);
	assert_null(cof_picker_fresh(&cof, &picker, &method));
	assert_int_equal(flow.optimizer.drop_STALE, 2);
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
		T(nearly_full_code_memory_is_left_for_tier_0),
		T(a_host_without_estimates_gets_no_builds),
		T(stress_builds_everything_with_plans_that_follow_the_seed),
		T(a_profile_worth_its_while_is_counted_first),
		T(counting_that_costs_more_than_it_brings_is_left_out),
		T(modes_and_hosts_without_profiles_do_not_ask),
		T(who_had_a_chance_in_this_phase_waits_for_the_next),
		T(a_profile_that_is_there_is_built_with_at_once),
		T(another_phase_reopens_what_has_a_profile),
		T(what_was_just_compiled_counts_whatever_it_ran),
		T(what_was_just_compiled_is_dropped_for_the_same_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

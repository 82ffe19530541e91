/*
 * test_picker_profiles.c - what is instrumented, and built with its profile
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "optimizer/policy/reprofile.h"
#include "options/tuning.h"
#include "picker.h"
#include "optimizer/policy/co_instrument.h"

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
	assert_int_equal(b->kind, COF_BUILD_INSTRUMENTED);
	assert_int_equal(b->plan, COF_PLAN_NONE);
	assert_int_equal(b->expected_ns,
			 16 * MS / COF_TUNE(counting_build_part));
	assert_int_equal(method.profile->state, COF_PROFILE_STARTING);
	assert_int_equal(method.profile->over, 7);
	assert_true(method.profile->speedup == 4.0);
	assert_int_equal(method.profile->estimated_ns, 16 * MS);
	assert_true(flags() & COF_WORD_SETTLED);
	cof_picker_ended(&picker, b);
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_BUSY, 1);
	cof_mem_free(b);
}

static void an_instrumented_build_takes_as_long_as_those_before(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_FULL);
	cof_cost_model_rates_learn(&picker.rates, COF_PLAN_NONE, 40 * MS,
				   10 * MS);
	b = look();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_INSTRUMENTED);
	assert_int_equal(b->expected_ns, 4 * MS);
	cof_picker_ended(&picker, b);
	cof_mem_free(b);
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
	cof_mem_free(b);
}

static void modes_and_hosts_without_profiles_do_not_ask(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_CO);
	b = look();
	assert_non_null(b);
	assert_int_equal(asked, 3);
	assert_int_equal(cof_top_plan(&cof), COF_PLAN_SPEED);
	cof_mem_free(b);
	cof_picker_ended(&picker, &(struct cof_build){ .method = &method });
	cof.opts.mode = COF_MODE_FULL;
	assert_int_equal(cof_top_plan(&cof), COF_PLAN_PROFILE);
	cof.host.collect = NULL;
	assert_int_equal(cof_top_plan(&cof), COF_PLAN_SPEED);
}

static void who_had_a_chance_in_this_phase_waits_for_the_next(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_FULL);
	b = look();
	assert_non_null(b);
	cof_picker_ended(&picker, b);
	cof_mem_free(b);
	cof_profile_enter(&picker.profiles, method.profile, COF_PROFILE_NO, 0);
	b = look();
	assert_non_null(b);
	assert_int_equal(b->plan, COF_PLAN_SPEED);
	cof_picker_ended(&picker, b);
	cof_mem_free(b);
	cof_count_add(&flow.predictor.phase_changes, 1);
	b = look();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_INSTRUMENTED);
	cof_mem_free(b);
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
	cof_mem_free(b);
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
	cof_reprofile_turn(&cof, &picker);
	assert_true(flags() & COF_WORD_SETTLED);
	cof_count_add(&flow.predictor.phase_changes, 1);
	cof_reprofile_turn(&cof, &picker);
	assert_false(flags() & COF_WORD_SETTLED);

	cof.opts.profile_slow_pct = 0;
	atomic_store(&version.sampled.total, 10000);
	b = look();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_INSTRUMENTED);
	assert_int_equal(asked, 0);	/* no host knows */
	cof_mem_free(b);
}

/* n samples fall in that bucket of the code, and P/O looks. */
static void fall(uint32_t bucket, uint32_t n)
{
	while (n-- > 0)
		cof_code_buckets_add(&version.sampled.buckets, bucket);
	cof.generation++;
	cof_reprofile_turn(&cof, &picker);
}

static void what_runs_as_it_did_is_not_reopened(void **state)
{
	(void)state;
	with_profiles(COF_MODE_FULL);
	version.plan = COF_PLAN_PROFILE;
	assert_non_null(cof_profiles_of(&picker.profiles, &method));
	cof_profile_picked(method.profile, 0);
	cof_profile_enter(&picker.profiles, method.profile, COF_PROFILE_HAS,
			  0);
	cof_word_flags(&version.word, COF_WORD_SETTLED, 0);
	fall(3, 0);
	fall(3, 100);
	cof_count_add(&flow.predictor.phase_changes, 1);
	cof_reprofile_turn(&cof, &picker);
	fall(3, 100);
	assert_true(flags() & COF_WORD_SETTLED);
	fall(9, 400);
	assert_false(flags() & COF_WORD_SETTLED);
}

static struct cof_build *look_fresh(void)
{
	version.number = 0;
	return cof_picker_just_compiled(&cof, &picker, &method);
}

static void what_was_just_compiled_counts_whatever_it_ran(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_PGO);
	atomic_store(&version.sampled.total, 0);
	b = look_fresh();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_INSTRUMENTED);
	assert_int_equal(asked, 1);
	assert_int_equal(flow.optimizer.just_compiled, 1);
	cof_mem_free(b);
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
	assert_null(cof_picker_just_compiled(&cof, &picker, &method));
	assert_int_equal(flow.optimizer.drop_STALE, 1);
	atomic_store(&method.current, NULL);
	assert_null(cof_picker_just_compiled(&cof, &picker, &method));
	assert_int_equal(flow.optimizer.drop_STALE, 2);
}

static int fake_unit(void *ctx, void *const *ir, size_t n, enum cof_plan plan,
		      const int *stop, struct cof_version_desc *out)
{
	(void)ctx, (void)ir, (void)n, (void)plan, (void)stop, (void)out;
	return 1;
}

/* The only candidate ran for 400 ms. */
static struct cof_build *with_others(uint64_t cost_ns)
{
	offer[COF_PLAN_PROFILE].cost_ns = cost_ns;
	return cof_co_instrument_of(&cof, &picker);
}

static void with_others_a_method_counts_that_would_not_alone(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_FULL);
	cof.host.build_unit = fake_unit;
	cof.methods = &method;
	offer[COF_PLAN_SPEED].speedup = 0;
	offer[COF_PLAN_PROFILE].cost_ns = 500 * MS;
	assert_null(look());
	assert_int_equal(flow.optimizer.drop_NOT_WORTH, 1);
	assert_null(with_others(COF_TUNE(co_instrument_gain) * 400 * MS));
	b = with_others(500 * MS);
	assert_non_null(b);
	assert_null(b->next);
	assert_int_equal(b->kind, COF_BUILD_INSTRUMENTED);
	assert_int_equal(method.profile->state, COF_PROFILE_STARTING);
	assert_int_equal(flow.optimizer.co_instrumented, 1);
	assert_null(with_others(1));	/* it is on its way */
	cof_mem_free(b);
}

static void only_what_ran_lately_and_may_count_is_co_instrumented(void **state)
{
	(void)state;
	with_profiles(COF_MODE_FULL);
	cof.methods = &method;
	assert_null(with_others(1));	/* the host builds no units */
	cof.host.build_unit = fake_unit;
	atomic_store(&cof.generation, COF_TUNE(co_instrument_recent) + 1);
	assert_null(with_others(1));
	atomic_store(&cof.generation, 0);
	atomic_store(&version.sampled.total, cof.opts.hit_weight - 1);
	assert_null(with_others(1));
	atomic_store(&version.sampled.total, 100);
	method.trial.banned_until[COF_PLAN_PROFILE] = UINT64_MAX;
	assert_null(with_others(1));
	method.trial.banned_until[COF_PLAN_PROFILE] = 0;
	method.build.pending = true;
	assert_null(with_others(1));
	method.build.pending = false;
	cof.opts.limit = 0;
	assert_null(with_others(1));
	assert_int_equal(flow.optimizer.co_instrumented, 0);
}

static void an_image_is_not_made_a_little_better_first(void **state)
{
	struct cof_build *b;

	(void)state;
	with_profiles(COF_MODE_FULL);
	version.plan = COF_PLAN_AVERAGE;
	/* SPEED would take less than a profile, and pay. */
	offer[COF_PLAN_SPEED] = (struct cof_estimate){ 1.5, MS };
	offer[COF_PLAN_PROFILE] = (struct cof_estimate){ 1.6, 90 * MS };
	b = look();
	assert_non_null(b);
	assert_int_equal(b->kind, COF_BUILD_INSTRUMENTED);
	cof_mem_free(b);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_profile_worth_its_while_is_counted_first),
		T(an_instrumented_build_takes_as_long_as_those_before),
		T(counting_that_costs_more_than_it_brings_is_left_out),
		T(modes_and_hosts_without_profiles_do_not_ask),
		T(who_had_a_chance_in_this_phase_waits_for_the_next),
		T(a_profile_that_is_there_is_built_with_at_once),
		T(another_phase_reopens_what_has_a_profile),
		T(what_runs_as_it_did_is_not_reopened),
		T(what_was_just_compiled_counts_whatever_it_ran),
		T(what_was_just_compiled_is_dropped_for_the_same_reasons),
		T(with_others_a_method_counts_that_would_not_alone),
		T(only_what_ran_lately_and_may_count_is_co_instrumented),
		T(an_image_is_not_made_a_little_better_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

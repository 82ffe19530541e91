/*
 * test_stepped.c - drawn programs of bench/stepped: the same each time
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "bench/stepped/run.h"
#include "tests/support/balance.h"

/* Ten methods that become `faster` times as fast, the log of it, as promised
 * or not. */
static struct family obvious(double faster)
{
	return (struct family){
		.name = "obvious", .work_s = 60, .methods = { 10, 10 },
		.slope = { 1, 1 }, .call_us = { 10, 100 },
		.build_ms = { 5, 20 }, .code_kb = { 1, 4 },
		.gain = { faster, faster }, .phases = { 1, 1 },
		.period_s = { 1000, 1000 }, .shared = 1, .kinds = 1,
		.profiled = { 1, 1 }, .loop_s = { 1, 1 },
		.costs = { .sample = 1000, .barrier = 20000 }, .options = "",
	};
}

static struct run first, second;

static double gain(const struct run *r)
{
	return (double)r->work_ns / (double)r->cpu_ns - 1;
}

static void a_second_run_is_equal_to_the_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_families; i++) {
		run_program(&families[i], 1, 0, &first);
		run_program(&families[i], 1, 0, &second);
		if (first.digest != second.digest)
			fail_msg("%s", families[i].name);
		assert_int_equal(first.cpu_ns, second.cpu_ns);
		assert_null(unbalanced(&first.flow));
	}
}

static void another_seed_is_another_program(void **state)
{
	(void)state;
	run_program(family_of("steady"), 1, 0, &first);
	run_program(family_of("steady"), 2, 0, &second);
	assert_true(first.digest != second.digest);
	assert_true(first.cpu_ns != second.cpu_ns);
}

static void a_shake_changes_what_is_seen_and_not_what_is_done(void **state)
{
	(void)state;
	run_program(family_of("phases"), 1, 0, &first);
	run_program(family_of("phases"), 1, 1, &second);
	assert_int_equal(first.work_ns, second.work_ns);
	assert_true(first.digest != second.digest);
}

static void what_helps_is_kept_and_gains(void **state)
{
	struct family twice = obvious(0.69);

	(void)state;
	run_program(&twice, 1, 0, &first);
	assert_true(gain(&first) > 0.7 && gain(&first) < 1);
	assert_true(cof_count_get(&first.flow.audit.kept) > 5);
	assert_int_equal(cof_count_get(&first.flow.audit.rolled_back), 0);
}

static void what_hurts_is_rolled_back_and_loses_little(void **state)
{
	struct family slower = obvious(-0.4);

	(void)state;
	run_program(&slower, 1, 0, &first);
	/* -0.33, if all were kept */
	assert_true(gain(&first) > -0.2 && gain(&first) < 0);
	assert_int_equal(cof_count_get(&first.flow.audit.kept), 0);
	assert_true(cof_count_get(&first.flow.audit.rolled_back) > 0);
}

/* As slow as before: what is lost is what the program waited for. */
static void the_program_pays_for_all_that_libcof_does(void **state)
{
	struct family same = obvious(0);
	uint64_t built_ns;

	(void)state;
	run_program(&same, 1, 0, &first);
	built_ns = cof_count_get(&first.flow.optimizer.build_ns) +
		   cof_count_get(&first.flow.optimizer.gather_ns) +
		   cof_count_get(&first.flow.profile.instrument_ns) +
		   cof_count_get(&first.flow.profile.build_ns);
	assert_true(built_ns > 0);
	assert_true(first.waited_ns > built_ns);
	assert_true(first.cpu_ns > first.work_ns + first.waited_ns / 2);
	same.costs.sample = 100000;
	run_program(&same, 1, 0, &second);
	assert_true(second.waited_ns > first.waited_ns);
	assert_true(cof_count_get(&second.flow.sampler.slowed) > 0);
}

/* In which of the first programs of the family is the sum of two counters more
 * than that? What is drawn decides; ten have it as a rule. */
static void reaches(const char *family, const cof_count *a, const cof_count *b,
		    uint64_t more_than)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		run_program(family_of(family), seed, 0, &first);
		if (cof_count_get(a) + (b ? cof_count_get(b) : 0) > more_than)
			return;
	}
	fail_msg("no program of family %s does", family);
}

static void the_families_reach_what_they_are_for(void **state)
{
	const struct cof_flow *f = &first.flow;

	(void)state;
	reaches("phases", &f->phase.known, NULL, 1);
	reaches("phases", &f->reuse.reused, NULL, 0);
	reaches("data", &f->profile.reprofiled, NULL, 0);
	reaches("loop", &f->osr.entered, NULL, 0);
	reaches("cramped", &f->optimizer.drop_CODE_FULL, NULL, 0);
	reaches("naps", &f->optimizer.idle_releases, NULL, 0);
	reaches("naps", &f->predictor.empty, NULL, 25);
	reaches("declining", &f->profile.drop_DECLINED,
		&f->optimizer.drop_DECLINED, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_second_run_is_equal_to_the_first),
		cmocka_unit_test(another_seed_is_another_program),
		cmocka_unit_test(
			a_shake_changes_what_is_seen_and_not_what_is_done),
		cmocka_unit_test(what_helps_is_kept_and_gains),
		cmocka_unit_test(what_hurts_is_rolled_back_and_loses_little),
		cmocka_unit_test(the_program_pays_for_all_that_libcof_does),
		cmocka_unit_test(the_families_reach_what_they_are_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_phase_new_versions.c - new versions neither change nor hide a phase
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "code/version.h"	/* before drawn.h, which defines `method` */
#include "options/tuning.h"

#include "drawn.h"

/*
 * The first method calls three others in one phase and three in the other. Its
 * version 1 has inlined the former, its version 2 the latter. Inlined methods
 * have no samples of their own, or half of them on `trial`: version 0 has every
 * second turn.
 */
static void generation_inlined(int phase, uint32_t version, bool trial)
{
	static struct cof_method *in[2][3];
	struct cof_phase_signature_sample s[METHODS + 1] = {
		{ .method = NULL }
	};

	for (int i = 0; i < 6; i++)
		in[i / 3][i % 3] = (struct cof_method *)&method[1 + i];
	for (uint32_t i = 0; i <= METHODS; i++) {
		s[i].method = (const struct cof_method *)&method[i % METHODS];
		s[i].pace = 1;
	}
	s[METHODS].number = version;
	s[METHODS].inlined = version ? in[version - 1] : NULL;
	s[METHODS].n_inlined = version ? 3 : 0;
	add(s, &invert[phase], 50);
	for (uint32_t i = version ? 0 : METHODS; i < METHODS; i++) {
		bool is_in = i == 0 || (i - 1) / 3 == version - 1;
		uint32_t n = is_in ? s[i].calls / (trial ? 2 : 1) : 0;

		s[i].calls -= n;
		s[METHODS].calls += n;
		memset(s[i].bucket, 0, sizeof(s[i].bucket));
	}
	cof_phase_step(&table, s, METHODS + 1, 50, SAME);
}

static void expect_inlined(int phase, uint32_t version, bool trial, uint32_t in)
{
	for (int g = 0; g < 12; g++) {
		generation_inlined(phase, version, trial);
		if (g >= 3 && cof_phase_now(&table) != in)
			fail_msg("phase %d, version %u%s: in %u, not %u", phase,
				 (unsigned)version, trial ? " on trial" : "",
				 (unsigned)cof_phase_now(&table), (unsigned)in);
	}
}

static void what_a_version_has_inlined_changes_no_phase(void **unused)
{
	(void)unused;
	for (int k = 0; k < 3; k++) {
		expect_inlined(0, 0, false, 1);
		expect_inlined(1, 0, false, 2);
	}
	/* A version for the first phase, on trial and then installed. */
	for (int k = 0; k < 3; k++) {
		expect_inlined(0, 1, true, 1);
		expect_inlined(1, 0, false, 2);
	}
	for (int k = 0; k < 3; k++) {
		expect_inlined(0, 1, false, 1);
		expect_inlined(1, 1, false, 2);
	}
	/* A version for the second phase. */
	expect_inlined(1, 2, true, 2);
	expect_inlined(1, 2, false, 2);
	for (int k = 0; k < 3; k++) {
		expect_inlined(0, 2, false, 1);
		expect_inlined(0, 1, false, 1);
		expect_inlined(1, 1, false, 2);
		expect_inlined(1, 2, false, 2);
	}
	assert_int_equal(table.ids, 2);
}

/* -- A version on trial, on a busy machine --------------------------------- */

/* A generation of 26 samples of one method, half of them in each of two
 * versions. Its branches go the other way in the second phase. */
static void generation_on_trial(int phase)
{
	static const struct mix one[] = {
		{ { 100 }, { 1 } },
		{ { 100 }, { 2 } },
	};
	struct cof_phase_signature_sample s[METHODS] = { { .method = NULL } };
	struct cof_phase_signature_sample both[2];

	for (uint32_t version = 0; version < 2; version++) {
		memset(s, 0, sizeof(s));
		add(s, &one[phase], 13);
		both[version] = s[0];
		both[version].method = (const struct cof_method *)&method[0];
		both[version].number = version;
		both[version].pace = 1;
	}
	cof_phase_step(&table, both, 2, 26, SAME);
}

static void a_dozen_samples_say_where_in_a_version_time_goes(void **unused)
{
	(void)unused;
	for (int k = 0; k < 20; k++)
		for (int g = 0; g < 12; g++) {
			generation_on_trial(k % 2);
			if (g >= 3)
				assert_int_equal(cof_phase_now(&table),
						 1 + k % 2);
		}
}

/* -- How much faster a version is ------------------------------------------ */

static double pace(enum cof_plan older, enum cof_plan newer, double speedup)
{
	struct cof_version a = { .plan = older }, b = { .plan = newer };

	cof_version_set_pace(&b, &a, speedup);
	return cof_version_pace(&b);
}

static void what_a_trial_found_does_not_hide_other_methods(void **unused)
{
	(void)unused;
	assert_float_equal(pace(COF_PLAN_NONE, COF_PLAN_SPEED, 3), 3, 0.01);
	assert_float_equal(pace(COF_PLAN_AVERAGE, COF_PLAN_PROFILE, 1.2), 1.2,
			   0.01);
	assert_float_equal(pace(COF_PLAN_AVERAGE, COF_PLAN_PROFILE, 4.2),
			   COF_TUNE(phase_pace_most), 0.01);
	/* An instrumented version is slower. */
	assert_float_equal(pace(COF_PLAN_AVERAGE, COF_PLAN_NONE, 0.6), 0.6,
			   0.01);
	/* A version for another phase: faster there as it is slower here. */
	assert_float_equal(pace(COF_PLAN_PROFILE, COF_PLAN_PROFILE, 4.2), 1,
			   0.01);
	assert_float_equal(pace(COF_PLAN_PROFILE, COF_PLAN_PROFILE, 0.3), 1,
			   0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			what_a_version_has_inlined_changes_no_phase, setup),
		cmocka_unit_test_setup(
			a_dozen_samples_say_where_in_a_version_time_goes,
			setup),
		cmocka_unit_test(
			what_a_trial_found_does_not_hide_other_methods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_reprofile.c - profile drift, and what second profiles may cost
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/reprofile_budget.h"
#include "measure/profile_drift.h"
#include "options/tuning.h"

static struct cof_profile_drift d;
static uint16_t count[COF_CODE_BUCKETS];

static int reset(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++)
		count[i] = (uint16_t)(65000 + i);
	cof_profile_drift_begin(&d, 7, count);
	return 0;
}

/* n samples in each of these code buckets. */
static void fall(uint32_t from, uint32_t to, uint16_t n)
{
	for (uint32_t i = from; i < to; i++)
		count[i] = (uint16_t)(count[i] + n);
	cof_profile_drift_look(&d, count);
}

static void without_samples_nothing_is_known(void **state)
{
	(void)state;
	assert_false(cof_profile_drift_settled(&d));
	fall(0, 4, COF_TUNE(drift_samples));
	assert_false(cof_profile_drift_moved(&d));
	assert_false(cof_profile_drift_stayed(&d));
	cof_profile_drift_leave(&d, false);
	assert_false(cof_profile_drift_settled(&d));
	fall(0, 1, COF_TUNE(drift_samples));
	cof_profile_drift_leave(&d, true);
	assert_true(cof_profile_drift_settled(&d));
	fall(4, 8, COF_TUNE(drift_samples) / 4 - 1);
	assert_false(cof_profile_drift_moved(&d));
	fall(4, 8, 1);
	assert_true(cof_profile_drift_moved(&d));
}

static void the_same_has_not_moved(void **state)
{
	(void)state;
	fall(0, 6, 20);
	cof_profile_drift_leave(&d, true);
	fall(0, 6, 10);
	assert_true(cof_profile_drift_stayed(&d));
	assert_false(cof_profile_drift_moved(&d));
}

static void counters_run_over(void **state)
{
	(void)state;
	fall(0, 2, 600);
	cof_profile_drift_leave(&d, true);
	fall(0, 2, 60000);
	assert_true(cof_profile_drift_stayed(&d));
}

static void a_few_more_elsewhere_are_no_move(void **state)
{
	(void)state;
	fall(0, 4, 100);
	cof_profile_drift_leave(&d, true);
	fall(0, 4, 20);
	fall(8, 12, 6);
	assert_true(cof_profile_drift_stayed(&d));
	fall(8, 12, 40);
	assert_true(cof_profile_drift_moved(&d));
}

/* Two draws of so few samples from one distribution differ only by chance. */
static void noise_is_no_move(void **state)
{
	uint64_t x = 1;
	int moved = 0;

	for (int i = 0; i < 1000; i++) {
		reset(state);
		for (int home = 1; home >= 0; home--) {
			for (uint32_t n = 0; n < COF_TUNE(drift_samples); n++) {
				x = x * 6364136223846793005u + 1;
				count[x >> 60]++;
			}
			cof_profile_drift_look(&d, count);
			if (home)
				cof_profile_drift_leave(&d, true);
		}
		moved += cof_profile_drift_moved(&d);
	}
	assert_true(moved < 30);
}

static void at_first_little_may_be_spent(void **state)
{
	struct cof_reprofile_budget a = { 0 };

	(void)state;
	assert_true(cof_reprofile_budget_affords(
		&a, COF_TUNE(reprofile_free_ms) * 1e6, 0));
	assert_false(cof_reprofile_budget_affords(
		&a, COF_TUNE(reprofile_free_ms) * 1e6 + 1, 0));
	cof_reprofile_budget_spend(&a, COF_TUNE(reprofile_free_ms) * 1e6);
	assert_false(cof_reprofile_budget_affords(&a, 1, 0));
	assert_true(cof_reprofile_budget_affords(
		&a, 1e7, 1e7 / COF_TUNE(reprofile_part)));
}

static void what_paid_may_go_on(void **state)
{
	struct cof_reprofile_budget a = { 0 };

	(void)state;
	cof_reprofile_budget_spend(&a, COF_TUNE(reprofile_free_ms) * 1e6);
	cof_reprofile_budget_learn(&a, 0.9, 1e9);
	cof_reprofile_budget_learn(&a, 1, 1e9);
	assert_false(cof_reprofile_budget_affords(&a, 1, 0));
	cof_reprofile_budget_learn(&a, 1.25, 1e9);
	assert_true(cof_reprofile_budget_affords(&a, 1.9e8, 0));
	assert_false(cof_reprofile_budget_affords(&a, 2.1e8, 0));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, reset)
	const struct CMUnitTest tests[] = {
		TEST(without_samples_nothing_is_known),
		TEST(the_same_has_not_moved),
		TEST(counters_run_over),
		TEST(a_few_more_elsewhere_are_no_move),
		TEST(noise_is_no_move),
		TEST(at_first_little_may_be_spent),
		TEST(what_paid_may_go_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

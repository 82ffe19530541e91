/*
 * test_cost_model.c - the plan of least cost is chosen; build costs are learned
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "measure/cost_model.h"

#define MS 1000000u

static double weight, counting;
static struct cof_cost_model_rates rates;
static struct cof_estimate offer[COF_PLAN_COUNT];
static struct cof_cost_choice choice;

static int setup(void **state)
{
	(void)state;
	memset(&rates, 0, sizeof(rates));
	memset(offer, 0, sizeof(offer));
	memset(&choice, 0, sizeof(choice));
	weight = 1;
	counting = 0;
	return 0;
}

static enum cof_cost_verdict choose(enum cof_plan now, double future_ns,
				    uint32_t pct)
{
	struct cof_cost_question q = {
		.now = now, .future_ns = future_ns, .gain_pct = pct,
		.cost_weight = weight, .counting_ns = counting,
		.rates = &rates,
	};

	return cof_cost_model_choose(offer, &q, &choice);
}

static double ratio(enum cof_plan plan)
{
	return cof_cost_model_rates_ratio(&rates, plan);
}

static void a_cost_that_the_program_does_not_pay_does_not_count(void **state)
{
	(void)state;
	offer[COF_PLAN_SPEED].speedup = 2;
	offer[COF_PLAN_SPEED].cost_ns = 1000;
	assert_int_equal(choose(COF_PLAN_NONE, 1000, 0), COF_COST_NOT_WORTH);
	weight = 0.25;
	assert_int_equal(choose(COF_PLAN_NONE, 1000, 0), COF_COST_BUILD);
	assert_true(choice.gain_ns > 249 && choice.gain_ns < 251);
	assert_int_equal(choice.estimated_ns, 1000);
}

static void without_an_offer_there_is_no_estimate(void **state)
{
	(void)state;
	assert_int_equal(choose(COF_PLAN_NONE, 1e9, 0), COF_COST_NO_ESTIMATE);
	/* A speed-up of 1 is no offer, nor is an invalid number. */
	offer[COF_PLAN_STATIC].speedup = 1;
	offer[COF_PLAN_AVERAGE].speedup = -3;
	offer[COF_PLAN_SPEED].speedup = NAN;
	assert_int_equal(choose(COF_PLAN_NONE, 1e9, 0), COF_COST_NO_ESTIMATE);
}

static void plans_up_to_the_current_one_are_not_offers(void **state)
{
	(void)state;
	offer[COF_PLAN_STATIC].speedup = 10;
	offer[COF_PLAN_AVERAGE].speedup = 10;
	assert_int_equal(choose(COF_PLAN_AVERAGE, 1e9, 0),
			 COF_COST_NO_ESTIMATE);
	assert_int_equal(choose(COF_PLAN_SPEED, 1e9, 0), COF_COST_NO_ESTIMATE);
	assert_int_equal(choose(COF_PLAN_STATIC, 1e9, 0), COF_COST_BUILD);
	assert_int_equal(choice.plan, COF_PLAN_AVERAGE);
}

static void a_long_future_takes_a_costlier_plan_than_a_short_one(
	void **state)
{
	(void)state;
	offer[COF_PLAN_STATIC] = (struct cof_estimate){ 2.0, 1 * MS };
	offer[COF_PLAN_SPEED] = (struct cof_estimate){ 4.0, 30 * MS };

	/* 10 ms: 1 + 5 against 30 + 2.5 */
	assert_int_equal(choose(COF_PLAN_NONE, 10 * MS, 0), COF_COST_BUILD);
	assert_int_equal(choice.plan, COF_PLAN_STATIC);
	assert_true(fabs(choice.gain_ns - 4 * MS) < 1);
	assert_true(choice.estimated_ns == 1 * MS);

	/* 200 ms: 1 + 100 against 30 + 50 */
	assert_int_equal(choose(COF_PLAN_NONE, 200 * MS, 0), COF_COST_BUILD);
	assert_int_equal(choice.plan, COF_PLAN_SPEED);
	assert_true(choice.speedup == 4.0);
	assert_true(fabs(choice.gain_ns - 120 * MS) < 1);
}

static void what_does_not_repay_the_build_is_not_worth_it(void **state)
{
	(void)state;
	offer[COF_PLAN_SPEED] = (struct cof_estimate){ 2.0, 5 * MS };
	assert_int_equal(choose(COF_PLAN_NONE, 0, 0), COF_COST_NOT_WORTH);
	assert_int_equal(choose(COF_PLAN_NONE, 9.9 * MS, 0),
			 COF_COST_NOT_WORTH);
	assert_int_equal(choose(COF_PLAN_NONE, 10.1 * MS, 0), COF_COST_BUILD);
}

static void the_gain_must_reach_gain_pct_of_the_future(void **state)
{
	(void)state;
	/* Gains 20 % of 100 ms. */
	offer[COF_PLAN_SPEED] = (struct cof_estimate){ 2.0, 30 * MS };
	assert_int_equal(choose(COF_PLAN_NONE, 100 * MS, 19), COF_COST_BUILD);
	assert_int_equal(choose(COF_PLAN_NONE, 100 * MS, 21),
			 COF_COST_NOT_WORTH);
}

static void more_gain_for_the_same_cost_is_more_urgent(void **state)
{
	double urgency;

	(void)state;
	offer[COF_PLAN_SPEED] = (struct cof_estimate){ 2.0, 1 * MS };
	assert_int_equal(choose(COF_PLAN_NONE, 100 * MS, 0), COF_COST_BUILD);
	urgency = choice.urgency;
	assert_int_equal(choose(COF_PLAN_NONE, 200 * MS, 0), COF_COST_BUILD);
	assert_true(choice.urgency > urgency);
	offer[COF_PLAN_SPEED].cost_ns = 0;
	assert_int_equal(choose(COF_PLAN_NONE, 200 * MS, 0), COF_COST_BUILD);
	assert_true(isfinite(choice.urgency));
}

static void nothing_learned_means_estimates_are_believed(void **state)
{
	(void)state;
	assert_true(ratio(COF_PLAN_SPEED) == 1);
	cof_cost_model_rates_learn(&rates, COF_PLAN_SPEED, 0, 5 * MS);
	assert_true(ratio(COF_PLAN_SPEED) == 1);
}

static void a_plan_that_costs_more_than_estimated_is_taken_less(void **state)
{
	(void)state;
	offer[COF_PLAN_STATIC] = (struct cof_estimate){ 2.0, 1 * MS };
	offer[COF_PLAN_SPEED] = (struct cof_estimate){ 4.0, 10 * MS };
	assert_int_equal(choose(COF_PLAN_NONE, 100 * MS, 0), COF_COST_BUILD);
	assert_int_equal(choice.plan, COF_PLAN_SPEED);	/* 51 against 35 */

	for (int i = 0; i < 20; i++)
		cof_cost_model_rates_learn(&rates, COF_PLAN_SPEED, 10 * MS,
					   40 * MS);
	assert_true(fabs(ratio(COF_PLAN_SPEED) - 4) < 1e-9);
	assert_true(ratio(COF_PLAN_STATIC) == 1);
	assert_int_equal(choose(COF_PLAN_NONE, 100 * MS, 0), COF_COST_BUILD);
	assert_int_equal(choice.plan, COF_PLAN_STATIC);	/* 51 against 65 */
	assert_true(choice.estimated_ns == 1 * MS);
}

static void what_was_learned_follows_the_host_when_it_changes(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++)
		cof_cost_model_rates_learn(&rates, COF_PLAN_STATIC, 1 * MS,
					   8 * MS);
	for (int i = 0; i < 50; i++)
		cof_cost_model_rates_learn(&rates, COF_PLAN_STATIC, 1 * MS,
					   2 * MS);
	assert_true(fabs(ratio(COF_PLAN_STATIC) - 2) < 0.1);
}

static void counting_is_paid_for_by_profile_alone(void **state)
{
	(void)state;
	offer[COF_PLAN_SPEED] = (struct cof_estimate){ 2.0, 1 * MS };
	offer[COF_PLAN_PROFILE] = (struct cof_estimate){ 4.0, 1 * MS };
	weight = 0;		/* idle cores build; the program counts */
	counting = 20 * MS;
	/* 0 + 50 against 20 + 25 */
	assert_int_equal(choose(COF_PLAN_NONE, 100 * MS, 0), COF_COST_BUILD);
	assert_int_equal(choice.plan, COF_PLAN_PROFILE);
	counting = 30 * MS;
	assert_int_equal(choose(COF_PLAN_NONE, 100 * MS, 0), COF_COST_BUILD);
	assert_int_equal(choice.plan, COF_PLAN_SPEED);
	counting = 80 * MS;
	offer[COF_PLAN_SPEED].speedup = 0;
	assert_int_equal(choose(COF_PLAN_NONE, 100 * MS, 0),
			 COF_COST_NOT_WORTH);
}

static void counting_costs_its_time_but_not_beyond_the_future(void **state)
{
	(void)state;
	assert_true(cof_cost_model_counting(100 * MS, 1000 * MS, 150) ==
		    150 * MS);
	assert_true(cof_cost_model_counting(100 * MS, 40 * MS, 150) == 60 * MS);
	assert_true(cof_cost_model_counting(100 * MS, 1000 * MS, 0) == 0);
}

/* The best plan is PROFILE, whose build takes 100 ms. Until it is ready, the
 * method runs for delay_ns. */
static bool meanwhile(double delay_ns)
{
	const struct cof_cost_question q = {
		.now = COF_PLAN_NONE, .future_ns = 1e9, .gain_pct = 2,
		.cost_weight = weight, .rates = &rates,
	};
	const struct cof_cost_choice best = {
		.plan = COF_PLAN_PROFILE, .speedup = 3,
		.estimated_ns = 100 * MS, .expected_ns = 100 * MS,
	};

	return cof_cost_model_meanwhile(offer, &q, &best, delay_ns, &choice);
}

static void a_quick_plan_pays_while_a_long_one_is_made(void **state)
{
	(void)state;
	offer[COF_PLAN_STATIC] = (struct cof_estimate){ 1.5, 10 * MS };
	offer[COF_PLAN_AVERAGE] = (struct cof_estimate){ 2.0, 40 * MS };
	assert_true(meanwhile(1000.0 * MS));
	assert_int_equal(choice.plan, COF_PLAN_AVERAGE);  /* 460 over 323 */
	assert_true(choice.speedup == 2.0);
	assert_int_equal(choice.expected_ns, 40 * MS);
	/* 100 ms: 33 - 10 against 50 - 40 */
	assert_true(meanwhile(100.0 * MS));
	assert_int_equal(choice.plan, COF_PLAN_STATIC);
}

static void what_does_not_pay_meanwhile_is_left_out(void **state)
{
	(void)state;
	assert_false(meanwhile(1000.0 * MS));	/* no offer */
	offer[COF_PLAN_STATIC] = (struct cof_estimate){ 1.5, 10 * MS };
	assert_false(meanwhile(20.0 * MS));	/* too short a time */
	assert_true(meanwhile(1000.0 * MS));
	/* The build takes nearly as long as the best. */
	offer[COF_PLAN_STATIC].cost_ns = 90 * MS;
	assert_false(meanwhile(1000.0 * MS));
	/* Faster by too little. */
	offer[COF_PLAN_STATIC] = (struct cof_estimate){ 1.01, 1 * MS };
	assert_false(meanwhile(1000.0 * MS));
	/* The best plan itself does not count as one for meanwhile. */
	offer[COF_PLAN_STATIC].speedup = 0;
	offer[COF_PLAN_PROFILE] = (struct cof_estimate){ 3, 1 * MS };
	assert_false(meanwhile(1000.0 * MS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			a_cost_that_the_program_does_not_pay_does_not_count,
			setup),
		cmocka_unit_test_setup(
			without_an_offer_there_is_no_estimate, setup),
		cmocka_unit_test_setup(
			plans_up_to_the_current_one_are_not_offers, setup),
		cmocka_unit_test_setup(
			a_long_future_takes_a_costlier_plan_than_a_short_one,
			setup),
		cmocka_unit_test_setup(
			what_does_not_repay_the_build_is_not_worth_it, setup),
		cmocka_unit_test_setup(
			the_gain_must_reach_gain_pct_of_the_future, setup),
		cmocka_unit_test_setup(
			more_gain_for_the_same_cost_is_more_urgent, setup),
		cmocka_unit_test_setup(
			nothing_learned_means_estimates_are_believed, setup),
		cmocka_unit_test_setup(
			a_plan_that_costs_more_than_estimated_is_taken_less,
			setup),
		cmocka_unit_test_setup(
			what_was_learned_follows_the_host_when_it_changes,
			setup),
		cmocka_unit_test_setup(
			counting_is_paid_for_by_profile_alone, setup),
		cmocka_unit_test_setup(
			counting_costs_its_time_but_not_beyond_the_future,
			setup),
		cmocka_unit_test_setup(
			a_quick_plan_pays_while_a_long_one_is_made, setup),
		cmocka_unit_test_setup(
			what_does_not_pay_meanwhile_is_left_out, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

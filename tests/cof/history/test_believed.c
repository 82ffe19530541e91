/*
 * test_believed.c - what mode auto makes of gains that nobody measured
 */
#include "decided.h"

static void unmeasured_gains_count_as_measured_ones_did(void **state)
{
	struct cof_history_run r = history_run(1);

	(void)state;
	r.own_ns = r.paid_ns = r.build_ns = 0;
	r.measured_ns = SECOND / 10;
	r.untried_ns = SECOND / 10;
	assert_int_equal(cof_history_net_permille(&r, 0), 10);
	assert_int_equal(cof_history_net_permille(&r, 500), 15);
	assert_int_equal(cof_history_net_permille(&r, 1000), 20);
	r.paid_ns = SECOND / 5;
	assert_int_equal(cof_history_net_permille(&r, 500), -5);
}

/* A run of 10 s in which 1 s is believed to be saved, and not measured. */
static struct cof_history_run promised(int64_t number)
{
	struct cof_history_run r = history_run(number);

	r.own_ns = r.build_ns = r.paid_ns = r.measured_ns = 0;
	r.untried_ns = SECOND;
	return r;
}

/* A tenth of a second counts as a promise that came true. */
static void promises_are_as_true_as_those_before(void **state)
{
	struct cof_history_run run[2] = { promised(0), promised(1) };
	struct cof_history_past past = { .run = run, .n_runs = 2 };

	(void)state;
	assert_int_equal(decide(&past), COF_HISTORY_COMPARE);
	assert_int_equal(evidence.truth_permille, 1000);
	assert_int_equal(evidence.best_permille, 100);
	run[0].checked_ns = 2 * SECOND;	/* and nothing came of it */
	assert_int_equal(decide(&past), COF_HISTORY_COMPARE);
	assert_int_equal(evidence.truth_permille, 90);
	/* The part of it that counts still exceeds the gain wanted of a run. */
	run[0].paid_ns = run[1].paid_ns = SECOND;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	assert_int_equal(evidence.unsure_permille, 9);
	run[1].checked_ns = 3 * SECOND;
	run[0].measured_ns = -SECOND / 2;
	run[1].measured_ns = -SECOND / 2;
	assert_int_equal(decide(&past), COF_HISTORY_NO_GAIN);
	assert_int_equal(evidence.truth_permille, 38);
	/* More than was believed does not raise the belief. */
	run[0].measured_ns = 10 * SECOND;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	assert_int_equal(evidence.truth_permille, 1000);
	/* Runs on another CPU say nothing here. */
	run[0].measured_ns = 0;
	run[1].checked_ns = 0;
	strcpy(run[0].cpu, "another CPU");
	decide(&past);
	assert_int_equal(evidence.truth_permille, 1000);
}

/* Two runs that were promised 1 s, and before them two that were off and took
 * alone_ns and before_ns; before_ns 0: there was only the first. */
static enum cof_history_verdict against(int64_t alone_ns, int64_t before_ns)
{
	struct cof_history_run run[4] = {
		promised(0), promised(1), promised(2), promised(3),
	};
	struct cof_history_past past = {
		.run = run, .n_runs = before_ns != 0 ? 4 : 3,
	};

	run[2].loop = run[3].loop = false;
	run[2].untried_ns = run[3].untried_ns = 0;
	run[2].cpu_ns = alone_ns;
	run[3].cpu_ns = before_ns;
	return decide(&past);
}

static void gains_never_measured_are_compared(void **state)
{
	char why[512];

	(void)state;
	/* Longer by more than half of what is believed, and less than all. */
	assert_int_equal(against(108 * SECOND / 10, 0), COF_HISTORY_COMPARE);
	assert_int_equal(against(108 * SECOND / 10, SECOND / 2),
			 COF_HISTORY_COMPARE);
	assert_int_equal(against(108 * SECOND / 10, 106 * SECOND / 10),
			 COF_HISTORY_FULL);
	assert_int_equal(against(12 * SECOND, 9 * SECOND), COF_HISTORY_NO_GAIN);
	/* Longer by all of it, in one run. */
	assert_int_equal(against(111 * SECOND / 10, 0), COF_HISTORY_FULL);
	/* These did other work; but the program is not off for ever. */
	assert_int_equal(against(3 * SECOND, 0), COF_HISTORY_COMPARE);
	assert_int_equal(against(3 * SECOND, 30 * SECOND), COF_HISTORY_FULL);
	assert_int_equal(against(104 * SECOND / 10, 0), COF_HISTORY_NO_GAIN);
	cof_history_explain(COF_HISTORY_NO_GAIN, &evidence, &rules, why,
			    sizeof(why));
	assert_non_null(strstr(why, "10.00 s of CPU with it and "
				    "10.40 s without"));
	/* A short run says nothing. */
	assert_int_equal(against(SECOND / 2, 0), COF_HISTORY_COMPARE);
	assert_int_equal(cof_history_start_ns(COF_HISTORY_COMPARE, &evidence,
					       &rules), 40 * SECOND);
}

/* 1 s of 10 is believed to be saved, and the first run took so long. */
static enum cof_history_verdict after_first(int64_t ns, int64_t paid_ns)
{
	struct cof_history_run run[3] = {
		promised(0), promised(1), promised(2),
	};
	struct cof_history_past past = { .run = run, .n_runs = 3 };

	run[2].verdict = COF_HISTORY_FIRST;
	run[2].cpu_ns = ns;
	run[2].paid_ns = paid_ns;
	return decide(&past);
}

static void a_first_run_that_took_longer_is_a_comparison(void **state)
{
	(void)state;
	assert_int_equal(after_first(111 * SECOND / 10, 0), COF_HISTORY_FULL);
	assert_int_equal(evidence.first_ns, 111 * SECOND / 10);
	/* A tenth is the least. */
	assert_int_equal(after_first(109 * SECOND / 10, 0),
			 COF_HISTORY_COMPARE);
	/* It waited for the difference. */
	assert_int_equal(after_first(111 * SECOND / 10, SECOND / 2),
			 COF_HISTORY_COMPARE);
	/* It did other work. */
	assert_int_equal(after_first(30 * SECOND, 0), COF_HISTORY_COMPARE);
	assert_int_equal(evidence.first_ns, 0);
}

/* Whatever was promised, and whatever trials came to. */
static void runs_that_were_a_tenth_faster_gained(void **state)
{
	(void)state;
	after_first(111 * SECOND / 10, 0);
	assert_true(cof_history_runs_gained(&evidence));
	after_first(109 * SECOND / 10, 0);
	assert_false(cof_history_runs_gained(&evidence));
	after_first(111 * SECOND / 10, SECOND / 2);
	assert_false(cof_history_runs_gained(&evidence));
	against(111 * SECOND / 10, 0);
	assert_true(cof_history_runs_gained(&evidence));
	against(109 * SECOND / 10, 0);
	assert_false(cof_history_runs_gained(&evidence));
	/* It did other work. */
	against(30 * SECOND, 0);
	assert_false(cof_history_runs_gained(&evidence));
	decide(NULL);
	assert_false(cof_history_runs_gained(&evidence));
}

/* A promise may come true, though less than it is believed. */
static void a_run_as_long_as_promised_did_the_same_work(void **state)
{
	struct cof_history_run run[3] = {
		promised(0), promised(1), promised(2),
	};
	struct cof_history_past past = { .run = run, .n_runs = 3 };

	(void)state;
	run[0].promised_ns = run[1].promised_ns = SECOND;
	run[2].loop = false;
	run[2].cpu_ns = 16 * SECOND;
	assert_int_equal(decide(&past), COF_HISTORY_COMPARE);
	assert_int_equal(evidence.alone_ns, 0);
	run[1].promised_ns = 4 * SECOND;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	assert_int_equal(evidence.alone_ns, 16 * SECOND);
}

/* A fiftieth is believed: one run alone cannot tell whether it is true. */
static void less_than_runs_differ_by_is_compared_twice(void **state)
{
	struct cof_history_run run[3] = {
		promised(0), promised(1), promised(2),
	};
	struct cof_history_past past = { .run = run, .n_runs = 3 };

	(void)state;
	run[0].untried_ns = run[1].untried_ns = SECOND / 5;
	run[2].loop = false;
	run[2].untried_ns = 0;
	run[2].cpu_ns = 104 * SECOND / 10;
	assert_int_equal(decide(&past), COF_HISTORY_COMPARE);
	run[2].cpu_ns = 106 * SECOND / 10;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
}

/* A machine on which the same run takes 10.0 s or 10.8 s. */
static void what_may_be_chance_refutes_nothing(void **state)
{
	struct cof_history_run run[4] = {
		promised(0), promised(1), promised(2), promised(3),
	};
	struct cof_history_past past = { .run = run, .n_runs = 3 };

	(void)state;
	run[1].cpu_ns = 108 * SECOND / 10;
	run[2].loop = run[3].loop = false;
	run[2].untried_ns = run[3].untried_ns = 0;
	run[2].cpu_ns = 10 * SECOND;
	assert_int_equal(decide(&past), COF_HISTORY_COMPARE);
	run[3].cpu_ns = 104 * SECOND / 10;
	past.n_runs = 4;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	/* This is more than chance. */
	run[2].cpu_ns = 96 * SECOND / 10;
	assert_int_equal(decide(&past), COF_HISTORY_NO_GAIN);
}

static void runs_that_differ_are_not_compared(void **state)
{
	struct cof_history_run run[2] = { history_run(0), history_run(1) };
	struct cof_history_past past = { .run = run, .n_runs = 2 };

	(void)state;
	run[0].measured_ns = run[1].measured_ns = 0;
	run[0].untried_ns = run[1].untried_ns = SECOND;
	run[1].cpu_ns = 12 * SECOND;
	assert_int_equal(decide(&past), COF_HISTORY_COMPARE);
	run[1].cpu_ns = 13 * SECOND;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	/* Nor is a gain known where all began with nothing built, */
	run[1].cpu_ns = 10 * SECOND;
	run[0].build_ns = SECOND / 2;
	assert_int_equal(decide(&past), COF_HISTORY_COMPARE);
	assert_true(evidence.with_ns > evidence.fastest_ns);
	run[1].build_ns = SECOND / 2;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	run[0].build_ns = run[1].build_ns = 0;
	/* nor are runs compared that did not end, */
	run[1].cpu_ns = 10 * SECOND;
	run[1].ended = false;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	run[1].ended = true;
	assert_int_equal(decide(&past), COF_HISTORY_COMPARE);
	/* nor is a gain that was measured. */
	run[1].cpu_ns = 10 * SECOND;
	run[1].measured_ns = SECOND / 10;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unmeasured_gains_count_as_measured_ones_did),
		cmocka_unit_test(promises_are_as_true_as_those_before),
		cmocka_unit_test(gains_never_measured_are_compared),
		cmocka_unit_test(a_first_run_that_took_longer_is_a_comparison),
		cmocka_unit_test(runs_that_were_a_tenth_faster_gained),
		cmocka_unit_test(a_run_as_long_as_promised_did_the_same_work),
		cmocka_unit_test(less_than_runs_differ_by_is_compared_twice),
		cmocka_unit_test(what_may_be_chance_refutes_nothing),
		cmocka_unit_test(runs_that_differ_are_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

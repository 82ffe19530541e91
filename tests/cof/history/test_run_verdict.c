/*
 * test_run_verdict.c - what mode auto does, from what earlier runs showed
 */
#include "after_runs.h"

#include "options/tuning.h"

static void an_unknown_program_runs_in_full(void **state)
{
	(void)state;
	assert_int_equal(decide(NULL), COF_HISTORY_FIRST);
	assert_int_equal(after(""), COF_HISTORY_FIRST);
}

static void a_gain_keeps_it_on(void **state)
{
	(void)state;
	assert_int_equal(after("g"), COF_HISTORY_FULL);
	assert_int_equal(after("gggg"), COF_HISTORY_FULL);
	assert_int_equal(after("ng"), COF_HISTORY_FULL);
	assert_int_equal(after("gnn"), COF_HISTORY_FULL);
	assert_int_equal(evidence.judged, 2);
	assert_true(evidence.best_permille > 90);
}

/* Of this libcof on this CPU. */
static void what_the_runs_with_libcof_took_is_summed_up(void **state)
{
	(void)state;
	after("gglG");
	assert_int_equal(evidence.used_ns,
			 2 * (10 * SECOND - SECOND / 200 - SECOND / 100));
	assert_int_equal(evidence.built_ns, 2 * (SECOND / 100));
}

static void no_gain_twice_turns_the_third_run_off(void **state)
{
	(void)state;
	assert_int_equal(after("n"), COF_HISTORY_FULL);
	assert_int_equal(after("nn"), COF_HISTORY_NO_GAIN);
	assert_int_equal(after("nng"), COF_HISTORY_NO_GAIN);
	assert_true(evidence.best_permille < 0);	/* it cost time */
}

/* As many runs as a method has for a chance, none of which gained. */
static void runs_without_gain(struct cof_history_run *run)
{
	for (int64_t i = 0; i < COF_TUNE(history_chance_runs); i++) {
		run[i] = history_run(i);
		run[i].measured_ns = run[i].untried_ns = 0;
	}
}

/* After runs without a gain, in which a hot method was not tried. */
static void what_was_not_tried_does_not_turn_it_off(void **state)
{
	struct cof_history_run run[COF_TUNE(history_chance_runs)];
	struct cof_history_method method = { .name = "hot", .samples = 800 };
	struct cof_history_past past = {
		.run = run, .n_runs = 2, .method = &method, .n_methods = 1,
		.samples = 2400,
	};

	(void)state;
	runs_without_gain(run);
	for (int64_t i = 0; i < COF_TUNE(history_chance_runs); i++)
		run[i].open = 1476;
	assert_int_equal(decide(&past), COF_HISTORY_WARM);
	assert_int_equal(evidence.open_permille, 615);
	/* The method had its chances. */
	past.n_runs = COF_TUNE(history_chance_runs) - 1;
	assert_int_equal(decide(&past), COF_HISTORY_WARM);
	past.n_runs = COF_TUNE(history_chance_runs);
	assert_int_equal(decide(&past), COF_HISTORY_NO_GAIN);
	/* The method was tried, with whatever result. */
	past.n_runs = 2;
	run[1].open = 100;
	assert_int_equal(decide(&past), COF_HISTORY_NO_GAIN);
	assert_int_equal(evidence.open_permille, 41);
}

/* Its builds cost more than it has gained so far. */
static void what_was_measured_to_gain_is_not_turned_off(void **state)
{
	struct cof_history_run run[COF_TUNE(history_chance_runs)];
	struct cof_history_past past = {
		.run = run, .n_runs = COF_TUNE(history_chance_runs),
	};

	(void)state;
	for (int64_t i = 0; i < COF_TUNE(history_chance_runs); i++) {
		run[i] = history_run(i);
		run[i].untried_ns = 0;
		run[i].measured_ns = cof_history_guest_ns(&run[i]) / 40;
		run[i].paid_ns = cof_history_guest_ns(&run[i]) / 20;
		run[i].once_ns = 0;
	}
	assert_int_not_equal(decide(&past), COF_HISTORY_NO_GAIN);
	assert_true(evidence.best_permille < 0);
	assert_true(evidence.saved_permille > 20);
	run[0].measured_ns = run[1].measured_ns =
		cof_history_guest_ns(&run[0]) / 60;
	assert_int_equal(decide(&past), COF_HISTORY_NO_GAIN);
}

static void off_ends_when_a_run_is_longer_than_expected(void **state)
{
	enum cof_history_verdict v = after("ss");

	(void)state;
	assert_int_equal(cof_history_start_ns(v, &evidence, &rules),
			 rules.short_ns);
	v = after("nn");
	assert_true(evidence.judged_ns >= rules.short_ns);
	assert_int_equal(cof_history_start_ns(v, &evidence, &rules),
			 4 * evidence.judged_ns);
	v = after("g");
	assert_int_equal(cof_history_start_ns(v, &evidence, &rules), 0);
}

static void off_lasts_until_it_is_time_to_try_again(void **state)
{
	char runs[64] = "";

	(void)state;
	for (unsigned off = 1; off < 30; off++) {
		memset(runs, 'l', off);
		strcpy(runs + off, "nn");
		assert_int_equal(after(runs), off < 20 ? COF_HISTORY_NO_GAIN :
							 COF_HISTORY_RETRY);
	}
	/* Tried again without a gain: off; with one: on. */
	memset(runs, 'l', 21);
	runs[0] = 'n';
	strcpy(runs + 21, "nn");
	assert_int_equal(after(runs), COF_HISTORY_NO_GAIN);
	runs[0] = 'g';
	assert_int_equal(after(runs), COF_HISTORY_FULL);
}

/* As mode pgo's, on a host that it does not sample. */
static void runs_without_samples_say_nothing(void **state)
{
	struct cof_history_run run[COF_TUNE(history_chance_runs)];
	struct cof_history_past past = {
		.run = run, .n_runs = COF_TUNE(history_chance_runs),
	};

	(void)state;
	runs_without_gain(run);
	for (int64_t i = 0; i < COF_TUNE(history_chance_runs); i++)
		run[i].samples = run[i].counted = run[i].recompiled = 0;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	assert_int_equal(evidence.judged, 0);
	run[0].samples = run[0].counted = run[1].samples = run[1].counted = 9;
	assert_int_equal(decide(&past), COF_HISTORY_NO_GAIN);
}

/* Such runs were off until the program took longer than those before. */
static void a_late_loop_is_judged_by_its_own_time(void **state)
{
	struct cof_history_run run[2] = { history_run(0), history_run(1) };
	struct cof_history_past past = { .run = run, .n_runs = 2 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		run[i].verdict = COF_HISTORY_NO_GAIN;
		run[i].cpu_ns = 300 * SECOND;
		run[i].samples = 500;		/* 2 s */
		run[i].measured_ns = SECOND / 10;
		run[i].untried_ns = 0;
	}
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	assert_in_range(evidence.best_permille, 35, 50);
	assert_int_equal(evidence.with_ns, 0);
	assert_int_equal(evidence.whole, 0);
	/* Too short to say anything. */
	run[0].samples = run[1].samples = 100;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	assert_int_equal(evidence.judged, 0);
	run[0].verdict = run[1].verdict = COF_HISTORY_FULL;
	assert_int_equal(decide(&past), COF_HISTORY_NO_GAIN);
}

static void off_without_a_reason_left_is_tried_again(void **state)
{
	/* The runs that were the reason have been trimmed. */
	(void)state;
	assert_int_equal(after("lll"), COF_HISTORY_RETRY);
}

static void runs_elsewhere_do_not_count(void **state)
{
	(void)state;
	assert_int_equal(after("NN"), COF_HISTORY_FIRST);
	assert_int_equal(evidence.others, 2);
	assert_int_equal(after("NnNN"), COF_HISTORY_FULL);
	assert_int_equal(after("NNnn"), COF_HISTORY_NO_GAIN);
}

static void a_known_hot_set_is_started_with(void **state)
{
	struct cof_history_record r = history_record(1, 1, 3);
	struct cof_history_past past = {
		.run = &r.run, .n_runs = 1, .method = r.method,
		.n_methods = 3, .samples = r.run.counted,
	};

	(void)state;
	assert_int_equal(decide(&past), COF_HISTORY_WARM);
	assert_int_equal(evidence.hot, 3);
	assert_int_equal(evidence.profiles, 1);
	r.method[0].samples = 0;	/* it did not run */
	assert_int_equal(decide(&past), COF_HISTORY_WARM);
	assert_int_equal(evidence.hot, 2);
	/* The host's own version is current: that run ended too soon. */
	r.method[1].plan = COF_PLAN_NONE;
	r.method[1].promised_permille = 0;
	assert_int_equal(decide(&past), COF_HISTORY_WARM);
	assert_int_equal(evidence.hot, 2);
	r.method[1].audit = r.method[2].audit = COF_HISTORY_TAKEN_BACK;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	cof_history_record_free(&r);
}

static void a_cached_build_costs_each_run_a_part(void **state)
{
	struct cof_history_run r = history_run(1);

	(void)state;
	r.own_ns = r.build_ns = 0;
	r.paid_ns = SECOND;
	assert_int_equal(cof_history_net_permille(&r, 0), 0);
	r.once_ns = SECOND * 8 / 10;
	assert_int_equal(cof_history_net_permille(&r, 0), 70);
}

static void numbers_at_their_limits_do_no_harm(void **state)
{
	struct cof_history_run r = history_run(1);
	struct cof_history_past past = { .run = &r, .n_runs = 1 };

	(void)state;
	r.cpu_ns = r.own_ns = r.build_ns = r.paid_ns = COF_HISTORY_NS_MAX;
	r.measured_ns = -COF_HISTORY_NS_MAX;
	r.untried_ns = COF_HISTORY_NS_MAX;
	assert_true(cof_history_run_ok(&r));
	decide(&past);
	r.own_ns = r.build_ns = 0;
	r.cpu_ns = 1;
	decide(&past);
	r.cpu_ns = 0;
	decide(&past);
	assert_int_equal(evidence.runs, 1);
}

static void every_verdict_has_a_name_and_a_sentence(void **state)
{
	char text[COF_HISTORY_WHY];

	(void)state;
	after("nn");
	for (int v = 0; v < COF_HISTORY_VERDICTS; v++) {
		cof_history_explain((enum cof_history_verdict)v, &evidence,
				    &rules, text, sizeof(text));
		assert_true(strlen(text) > 10);
		assert_true(strlen(text) < sizeof(text) - 1);
		assert_true(cof_history_verdict_name(
			(enum cof_history_verdict)v)[0] != '?');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_program_runs_in_full),
		cmocka_unit_test(a_gain_keeps_it_on),
		cmocka_unit_test(what_the_runs_with_libcof_took_is_summed_up),
		cmocka_unit_test(no_gain_twice_turns_the_third_run_off),
		cmocka_unit_test(what_was_not_tried_does_not_turn_it_off),
		cmocka_unit_test(what_was_measured_to_gain_is_not_turned_off),
		cmocka_unit_test(off_ends_when_a_run_is_longer_than_expected),
		cmocka_unit_test(runs_without_samples_say_nothing),
		cmocka_unit_test(a_late_loop_is_judged_by_its_own_time),
		cmocka_unit_test(off_lasts_until_it_is_time_to_try_again),
		cmocka_unit_test(off_without_a_reason_left_is_tried_again),
		cmocka_unit_test(runs_elsewhere_do_not_count),
		cmocka_unit_test(a_known_hot_set_is_started_with),
		cmocka_unit_test(a_cached_build_costs_each_run_a_part),
		cmocka_unit_test(numbers_at_their_limits_do_no_harm),
		cmocka_unit_test(every_verdict_has_a_name_and_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

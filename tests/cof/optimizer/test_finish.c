/*
 * test_finish.c - what earlier runs counted is built without a run
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/cof/history/counting_host.h"

static void what_was_counted_is_built_and_no_more(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	refuse = 0;
	start_measured(&m0, 0, "finish");
	assert_int_equal(toy_call(&m0, 1).value, 1 + 1024);
	cof_ready(toy.cof);
	assert_int_equal(cof_finish(toy.cof), 1);
	assert_int_equal(loaded, 1);
	assert_int_equal(current(&m0)->number, 0);
	stop_and_balance();
	assert_int_equal(cof_finish(toy.cof), 1);	/* ends at once */
	end_run();
	/* It was no run. */
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 1);
}

static void what_was_not_counted_is_left(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	host_counts();
	start_after(record_uncounted(), &m0, "finish");
	toy_call(&m0, 1);
	cof_ready(toy.cof);
	assert_int_equal(cof_finish(toy.cof), 0);
	assert_int_equal(counted, 0);
	stop_and_balance();
	assert_int_equal(toy.cof->flow->optimizer.drop_NO_COUNTS, 1);
	end_run();
}

static void without_the_option_there_is_nothing_to_wait_for(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	refuse = 0;
	start_measured(&m0, 0, "");
	assert_int_equal(cof_finish(toy.cof), 0);
	assert_int_equal(cof_finish(NULL), 0);
	stop_and_balance();
	end_run();
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup_run, teardown_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_was_counted_is_built_and_no_more),
		T(what_was_not_counted_is_left),
		T(without_the_option_there_is_nothing_to_wait_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

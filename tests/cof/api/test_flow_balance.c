/*
 * test_flow_balance.c - over a whole run every stage balances, and stages fit
 * together
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/support/toy_run.h"

static void a_drop_that_is_not_counted_is_noticed(void **state)
{
	struct cof_flow flow = { 0 };

	(void)state;
	assert_null(unbalanced(&flow));
	cof_count_add(&flow.optimizer.taken, 2);
	cof_count_add(&flow.optimizer.built, 1);
	assert_string_equal(unbalanced(&flow), "optimizer");
	cof_count_add(&flow.optimizer.drop_STALE, 1);
	assert_null(unbalanced(&flow));
}

/* A dozen methods, some hot, run until replaced versions are freed. */
static void all_stages_balance_over_a_whole_run(void **state)
{
	struct toy_method m[12];
	const struct cof_flow *f;
	struct patience p;

	(void)state;
	toy_run_start("mode=co,stats=none,generation_ms=20,drain_ms=5,"
		      "reclaim_ms=5,budget_permille=0", "");
	f = toy.cof->flow;
	for (int i = 0; i < 12; i++) {
		m[i] = (struct toy_method){
			.name = "m", .step = i,
			.turns = i < 6 ? 64000 : 64,
			.callee = i > 0 ? &m[i - 1] : NULL,
		};
		assert_int_equal(toy_add(&toy, &m[i]), 0);
	}
	p = patience_begin();
	while (f->patcher.installed < 12 + 6 || f->reclaim.freed < 3) {
		long x = 1;

		for (int i = 0; i < 12; i++)
			x += (long)m[i].turns * m[i].step;
		assert_int_equal(toy_call(&m[11], 1).value, x);
		if (patience_is_over(&p)) {
			show_flow(f);
			fail();
		}
	}
	toy_run_stop();
	/* From one stage to the next. */
	assert_int_equal(f->predictor.forecast, f->optimizer.taken);
	assert_int_equal(f->patcher.offered, f->optimizer.built + 12);
	assert_int_equal(f->patcher.installed, 12 + f->reclaim.retired -
			 f->patcher.drop_SUPERSEDED);
	assert_int_equal(f->memory.methods, 12);
	assert_int_equal(f->threads.attached, 1);
	assert_int_equal(f->threads.detached, 1);
	toy_run_free();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drop_that_is_not_counted_is_noticed),
		cmocka_unit_test_setup_teardown(
			all_stages_balance_over_a_whole_run,
			toy_run_reset, toy_run_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

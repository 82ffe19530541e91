/*
 * test_trial_entries.c - whose entries a trial counts
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "audited.h"
#include "optimizer/trial/trial.h"

static struct cof_trial *unit(const struct cof_version *b[METHODS])
{
	struct built how = { .plan = COF_PLAN_PROFILE, .unit = 7 };

	b[1] = build(1, 11, how);
	b[2] = build(2, 21, how);
	how.inlined = method[1];
	b[0] = build(0, 1, how);
	cof_audit_turn(cof, NULL);
	return method[0]->trial.now;
}

/* Nothing runs, so the test counts. */
static void enter(int i, uint64_t times)
{
	if (method[i]->thunk.callers != COF_THUNKED_NO)
		atomic_fetch_add(method[i]->thunk.entries, times);
}

static void until_counted(const struct cof_version *b[METHODS],
			  const struct cof_trial *t)
{
	while (!t->counting)
		slice(b);
}

/* Ends the first block that is counted, long before a verdict. */
static void a_block(const struct cof_version *b[METHODS],
		    const struct cof_trial *t, const uint64_t times[METHODS])
{
	uint32_t before;

	until_counted(b, t);
	before = t->evidence.odds.n;
	assert_true(before + 1 < COF_TUNE(evidence_blocks));
	while (t->evidence.odds.n == before) {
		for (int i = 0; i < METHODS; i++)
			enter(i, times[i]);
		slice(b);
	}
}

static void stubs_count_where_no_member_calls(void **state)
{
	const struct cof_version *b[METHODS];
	const struct cof_trial *t = unit(b);

	(void)state;
	until_counted(b, t);
	assert_int_equal(method[0]->thunk.callers, COF_THUNKED_ALL);
	assert_int_equal(method[1]->thunk.callers, COF_THUNKED_SITES);
	assert_int_equal(method[2]->thunk.callers, COF_THUNKED_ALL);
}

/* Its caller is native code: it comes by the stub. No sample falls outside. */
static void a_unit_whose_callers_are_native_is_measured_by_entries(void **state)
{
	const struct cof_version *b[METHODS];
	const struct cof_trial *t = unit(b);

	(void)state;
	while (cof->flow->audit.now > 0) {
		if (t->counting) {
			int n = current(0) == b[0] ? 40 : 10;

			for (int i = 0; i < n; i++)
				run(0);
		}
		credit(current(0), SLICE_SAMPLES);
		slices = cof->flow->audit.turns;
		while (cof->flow->audit.turns == slices &&
		       cof->flow->audit.now > 0)
			cof_audit_turn(cof, NULL);
	}
	assert_int_equal(cof->flow->audit.kept, METHODS);
	assert_ptr_equal(current(0), b[0]);
}

static void members_that_cost_too_much_are_left_out(void **state)
{
	const uint64_t many[METHODS] = { 1000000, 0, 1000 };
	const struct cof_version *b[METHODS];
	const struct cof_trial *t = unit(b);
	const struct cof_member *of_first = &t->member[0];

	(void)state;
	a_block(b, t, many);
	while (of_first->method != method[0])
		of_first++;
	assert_int_equal(of_first->thunked, COF_THUNKED_NO);
	assert_int_equal(method[0]->thunk.callers, COF_THUNKED_NO);
	/* What was counted with it is forgotten, and samples are not. */
	assert_int_equal(t->evidence.pace.n, 0);
	assert_true(t->evidence.odds.n > 0);
}

static void the_only_one_that_is_entered_enough_stays(void **state)
{
	const uint64_t many[METHODS] = { 1000000, 0, 1 };
	const struct cof_version *b[METHODS];
	const struct cof_trial *t = unit(b);

	(void)state;
	a_block(b, t, many);
	for (uint32_t i = 0; i < t->n; i++)
		assert_int_not_equal(t->member[i].thunked, COF_THUNKED_NO);
	assert_true(t->evidence.pace.n > 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(stubs_count_where_no_member_calls),
		TEST(a_unit_whose_callers_are_native_is_measured_by_entries),
		TEST(members_that_cost_too_much_are_left_out),
		TEST(the_only_one_that_is_entered_enough_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_phase_reuse.c - versions are kept for phases that return
 *
 * The test makes the turns, the phases and the samples.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "phased.h"

static void a_phase_that_returns_has_its_version_again(void **state)
{
	struct cof_version *a, *b;
	uint64_t offered;

	(void)state;
	a = build_in(1, 1);
	enter(0);
	enter(2);
	assert_int_equal(run(), 1);	/* it has none of its own */
	b = build(2);
	assert_int_equal(a->state, COF_VERSION_PARKED);
	assert_int_equal(cof->flow->reuse.parked, 1);
	offered = cof->flow->patcher.offered;
	for (int i = 1; i <= 5; i++) {
		enter(0);
		assert_int_equal(run(), 2);	/* not between phases */
		enter(1);
		assert_int_equal(run(), 1);
		assert_ptr_equal(current(), a);
		assert_int_equal(b->state, COF_VERSION_PARKED);
		enter(2);
		assert_int_equal(run(), 2);
		assert_int_equal(cof->flow->reuse.reused, 2 * i);
		assert_int_equal(cof->flow->reuse.parked, 1);
	}
	assert_int_equal(cof->flow->patcher.offered, offered);
	enter(3);
	assert_int_equal(run(), 2);
}

static void what_was_rolled_back_does_not_return(void **state)
{
	struct cof_version *a, *b;

	(void)state;
	a = build_in(1, 1);
	enter(2);
	b = install(2, 2);
	until_judged(b, 1.4);
	assert_int_equal(b->state, COF_VERSION_RETIRED);
	enter(1);
	enter(2);
	assert_ptr_equal(current(), a);
	assert_int_equal(cof->flow->reuse.reused, 0);
}

static void tier_0_does_not_return(void **state)
{
	(void)state;
	enter(1);
	build_in(2, 2);
	enter(1);
	assert_int_equal(run(), 2);
	assert_int_equal(cof->flow->reuse.parked, 0);
}

static void of_too_many_the_one_not_seen_for_longest_goes(void **state)
{
	struct cof_version *v[7];

	(void)state;
	for (uint32_t phase = 1; phase <= 4; phase++) {
		enter(phase);
		v[phase] = build((int)phase);
	}
	assert_int_equal(cof->flow->reuse.parked, 3);
	enter(1);
	assert_int_equal(run(), 1);
	enter(5);
	v[5] = build(5);
	/* 1 was seen most recently, 2 least recently. */
	assert_int_equal(cof->flow->reuse.parked, 3);
	assert_int_equal(cof->flow->reuse.dropped, 1);
	assert_int_equal(v[2]->state, COF_VERSION_RETIRED);
	enter(2);
	assert_int_equal(run(), 5);
	enter(3);
	assert_int_equal(run(), 3);
}

static void without_room_nothing_is_kept(void **state)
{
	(void)state;
	build_in(1, 1);
	build_in(2, 2);
	assert_int_equal(cof->flow->reuse.parked, 0);
	assert_int_equal(cof->flow->reuse.dropped, 1);
	enter(1);
	assert_int_equal(run(), 2);
}

static void what_the_host_replaced_never_comes_back(void **state)
{
	struct cof_version *a;

	(void)state;
	a = build_in(1, 1);
	build_in(2, 2);
	piece_add_return(cof, method, 7);
	enter(1);
	assert_int_equal(run(), 7);
	assert_int_equal(a->state, COF_VERSION_RETIRED);
	/* What was built since then may. */
	a = build(8);
	build_in(2, 9);
	enter(1);
	assert_int_equal(run(), 8);
}

static void behaviour_changed_where_the_phase_has_no_version(void **state)
{
	(void)state;
	assert_true(cof_phase_reuse_changed(cof, method)); /* all unknown */
	enter(1);
	assert_true(cof_phase_reuse_changed(cof, method));
	build(1);
	assert_false(cof_phase_reuse_changed(cof, method));
	enter(0);
	assert_false(cof_phase_reuse_changed(cof, method));
	enter(2);
	assert_true(cof_phase_reuse_changed(cof, method));
	enter(1);
	assert_false(cof_phase_reuse_changed(cof, method));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_phase_that_returns_has_its_version_again),
		T(what_was_rolled_back_does_not_return),
		T(tier_0_does_not_return),
		T(of_too_many_the_one_not_seen_for_longest_goes),
		cmocka_unit_test_setup_teardown(without_room_nothing_is_kept,
						setup_small, teardown),
		T(what_the_host_replaced_never_comes_back),
		T(behaviour_changed_where_the_phase_has_no_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_phase_trials.c - a trial pauses, resumes or ends as phases come and go
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "phased.h"

static void a_trial_rests_while_its_phase_is_away(void **state)
{
	struct cof_version *a, *b;
	double seen;

	(void)state;
	b = try_second(&a);
	for (int i = 0; i < 8; i++)
		slice(b, 0.7);
	enter(1);
	slice(b, 0.7);
	seen = (double)a->sampled.total;
	for (int i = 0; i < 8; i++) {
		/* Here it would look slower. */
		slice(b, 3);
		assert_ptr_equal(current(), a);
	}
	assert_true((double)a->sampled.total > seen);
	assert_int_equal(cof->flow->audit.now, 1);
	enter(2);
	until_judged(b, 0.7);
	assert_ptr_equal(current(), b);
	assert_int_equal(cof->flow->audit.kept, 2);
	enter(1);
	assert_ptr_equal(current(), a);
}

/* It looks faster in its own phase, but the method is worth a version for this
 * one as well. */
static void a_trial_that_rests_gives_way_to_another_phase(void **state)
{
	struct cof_version *a, *b;

	(void)state;
	b = try_second(&a);
	assert_false(cof_audit_yields(method));
	/* Not enough for a verdict, and none of it of the last two windows. */
	for (int i = 0; i < 48; i++) {
		cof_count_add(&cof->flow->phase.windows, 1);
		slice(b, 0.975);
	}
	assert_int_equal(cof->flow->audit.now, 1);
	assert_false(cof_audit_yields(method));
	enter(0);
	slice(b, 1);
	assert_false(cof_audit_yields(method));
	enter(3);
	slice(b, 1);
	assert_ptr_equal(current(), a);
	assert_false(cof_word_read(&a->word).flags & COF_WORD_SETTLED);
	/* Its own phase is back: the trial resumes, noticed or not. */
	begun++;
	enter(2);
	assert_false(cof_audit_yields(method));
	slice(b, 0.975);
	enter(3);
	slice(b, 1);
	assert_true(cof_audit_yields(method));
	assert_ptr_equal(cof_audit_yield(cof, method), a);
	assert_int_equal(cof->flow->audit.drop_ELSEWHERE, 1);
	assert_int_equal(b->state, COF_VERSION_PARKED);
	enter(2);
	assert_ptr_equal(current(), b);
	enter(1);
	assert_ptr_equal(current(), a);
}

/* As try_second(), and the program is in the first phase again. */
static struct cof_version *try_and_leave(struct cof_version **a)
{
	struct cof_version *b = try_second(a);

	slice(b, 1);
	enter(1);
	slice(b, 1);
	return b;
}

/* The trial is given up: it saw nothing against the version. */
static void assert_given_up(const struct cof_version *b)
{
	assert_int_equal(b->state, COF_VERSION_RETIRED);
	assert_false(cof_audit_banned(method, COF_PLAN_PROFILE));
}

static void a_trial_that_showed_nothing_gives_way_later(void **state)
{
	struct cof_version *a, *b;

	(void)state;
	b = try_and_leave(&a);
	assert_false(cof_audit_yields(method));
	atomic_store(&cof->generation, 20);
	assert_true(cof_audit_yields(method));
	assert_ptr_equal(cof_audit_yield(cof, method), a);
	assert_given_up(b);
}

static void a_trial_whose_phase_stays_away_is_given_up(void **state)
{
	struct cof_version *a, *b;

	(void)state;
	b = try_and_leave(&a);
	atomic_store(&cof->generation, 1000);
	slice(b, 1);
	assert_int_equal(cof->flow->audit.now, 0);
	assert_int_equal(cof->flow->audit.drop_ELSEWHERE, 1);
	assert_ptr_equal(current(), a);
	assert_given_up(b);
}

static void a_method_on_trial_is_switched_when_that_is_over(void **state)
{
	struct cof_version *b;

	(void)state;
	build_in(1, 1);
	build_in(2, 2);
	enter(1);
	b = install(3, 0);	/* of no phase: no pause */
	cof_audit_turn(cof, NULL);
	enter(2);
	until_judged(b, 0.7);
	assert_ptr_equal(current(), b);
	/* Its verdict came in phase 2, which has this version now. */
	enter(2);
	assert_ptr_equal(current(), b);
	enter(1);
	assert_int_equal(run(), 1);
	assert_int_equal(cof->flow->reuse.parked, 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_trial_rests_while_its_phase_is_away),
		T(a_trial_that_rests_gives_way_to_another_phase),
		T(a_trial_that_showed_nothing_gives_way_later),
		T(a_trial_whose_phase_stays_away_is_given_up),
		T(a_method_on_trial_is_switched_when_that_is_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

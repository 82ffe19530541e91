/*
 * test_phases.c - versions are kept for phases that return
 *
 * Turns are made by hand, and so are phases and samples.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "balance.h"
#include "instance.h"
#include "optimizer/audit.h"
#include "optimizer/phases.h"
#include "patcher/patcher.h"
#include "piece.h"
#include "predictor/phase.h"
#include "role.h"

static struct cof        *cof;
static struct cof_method *method;
static uint32_t           begun;

static int start(const char *more)
{
	struct cof_host host = { .size = sizeof(host), .name = "test" };
	char options[160] = "mode=off,stats=none,code_mb=16,audit=on,"
			    "audit_slice_ms=1,audit_s=3600,";

	strcat(options, more);
	cof_role = COF_ROLE_PICKER;
	begun = 0;
	if (cof_start(&host, options, NULL, &cof) != 0 ||
	    cof_audit_start(cof) != 0 || cof_phases_start(cof) != 0)
		return -1;
	method = piece_method(cof, NULL);
	piece_add_return(cof, method, 0);
	return 0;
}

static int setup(void **state)
{
	(void)state;
	return start("phase_versions=3");
}

static int setup_small(void **state)
{
	(void)state;
	return start("phase_kb=0");
}

static int teardown(void **state)
{
	(void)state;
	cof_stop(cof);
	assert_null(unbalanced(cof->flow));
	assert_int_equal(cof->flow->patcher.parked, 0);
	assert_int_equal(cof->flow->reuse.parked, 0);
	assert_int_equal(cof->flow->reuse.parked_bytes, 0);
	cof_free(cof);
	cof_role = COF_ROLE_APP;
	return 0;
}

static struct cof_version *current(void)
{
	return atomic_load(&method->current);
}

static int run(void)
{
	return piece_run(cof_method_stub(method));
}

/* PRE's part, and P/O's turn. */
static void enter(uint32_t phase)
{
	begun += phase != 0;
	atomic_store(&cof->phase, (uint64_t)begun << 32 | phase);
	if (cof_phases_turn(cof))
		cof_patcher_barrier(cof);
}

static struct cof_version *install(int value, uint32_t phase)
{
	struct cof_version *over = current(), *v;
	struct piece p = { .n = 0 };
	struct cof_version_desc d;
	int err;

	piece_return(&p, value);
	d = piece_place(cof, &p, NULL);
	d.plan = COF_PLAN_PROFILE;
	v = cof_patcher_prepare(method, &d, &err);
	assert_non_null(v);
	v->speedup = 1.2;
	v->phase = phase;
	assert_true(cof_patcher_install(v, over, true));
	cof_audit_installed(cof, method, over, v);
	return v;
}

static void credit(struct cof_version *v, uint64_t n)
{
	cof_count_add(&v->samples, n);
	cof_count_add(&v->method->samples, n);
	cof_count_add(&cof->flow->sampler.counted, n);
	cof_count_add(&cof->flow->sampler.taken, n);
}

/* One slice of the audit; `b` takes `cost` of the time of what was before. */
static void slice(const struct cof_version *b, double cost)
{
	uint64_t slices = cof->flow->audit.slices;
	double part = current() == b ? cost : 1;

	credit(current(), (uint64_t)(2000 * part / (1 + part)));
	cof_count_add(&cof->flow->sampler.taken, (uint64_t)(2000 / (1 + part)));
	cof_count_add(&cof->flow->sampler.drop_NATIVE,
		      (uint64_t)(2000 / (1 + part)));
	while (cof->flow->audit.slices == slices && cof->flow->audit.now > 0)
		cof_audit_turn(cof);
}

static void until_judged(const struct cof_version *b, double cost)
{
	cof_audit_turn(cof);
	while (cof->flow->audit.now > 0)
		slice(b, cost);
}

/* A version for the phase it is in, which is kept. */
static struct cof_version *build(int value)
{
	struct cof_version *v = install(value, cof_phases_now(cof));

	until_judged(v, 0.7);
	assert_ptr_equal(current(), v);
	return v;
}

/* The program goes into the phase, which gets a version of its own. */
static struct cof_version *build_in(uint32_t phase, int value)
{
	enter(phase);
	return build(value);
}

/* The first phase has its version, *a; that of the second is on trial. */
static struct cof_version *try_second(struct cof_version **a)
{
	struct cof_version *b;

	*a = build_in(1, 1);
	enter(2);
	b = install(2, 2);
	cof_audit_turn(cof);
	return b;
}

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
	/* 1 was seen last; 2 for longest not. */
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

/* `a` is phase 1's, `b` on trial against it in phase 2. */
static void try_in_two(struct cof_version **a, struct cof_version **b)
{
	enter(1);
	*a = build(1);
	enter(2);
	*b = install(2, 2);
	cof_audit_turn(cof);
}

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
	seen = (double)a->samples;
	for (int i = 0; i < 8; i++) {
		/* Here it would look slower. */
		slice(b, 3);
		assert_ptr_equal(current(), a);
	}
	assert_true((double)a->samples > seen);
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
	try_in_two(&a, &b);
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
	/* Its own is back: it goes on, if that was noticed or not. */
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

static void a_trial_that_showed_nothing_gives_way_later(void **state)
{
	struct cof_version *a, *b;

	(void)state;
	try_in_two(&a, &b);
	slice(b, 1);
	enter(1);
	slice(b, 1);
	assert_false(cof_audit_yields(method));
	atomic_store(&cof->generation, 20);
	assert_true(cof_audit_yields(method));
	assert_ptr_equal(cof_audit_yield(cof, method), a);
	assert_int_equal(b->state, COF_VERSION_RETIRED);
	assert_false(cof_audit_banned(method, COF_PLAN_PROFILE));
}

static void a_trial_whose_phase_stays_away_is_given_up(void **state)
{
	struct cof_version *a, *b;

	(void)state;
	b = try_second(&a);
	slice(b, 1);
	enter(1);
	slice(b, 1);
	atomic_store(&cof->generation, 1000);
	slice(b, 1);
	assert_int_equal(cof->flow->audit.now, 0);
	assert_int_equal(cof->flow->audit.drop_ELSEWHERE, 1);
	assert_ptr_equal(current(), a);
	assert_int_equal(b->state, COF_VERSION_RETIRED);
	assert_false(cof_audit_banned(method, COF_PLAN_PROFILE));
}

static void a_method_on_trial_is_switched_when_that_is_over(void **state)
{
	struct cof_version *b;

	(void)state;
	build_in(1, 1);
	build_in(2, 2);
	enter(1);
	b = install(3, 0);	/* of no phase: it does not rest */
	cof_audit_turn(cof);
	enter(2);
	until_judged(b, 0.7);
	assert_ptr_equal(current(), b);
	/* It was judged in phase 2, and is what that has now. */
	enter(2);
	assert_ptr_equal(current(), b);
	enter(1);
	assert_int_equal(run(), 1);
	assert_int_equal(cof->flow->reuse.parked, 1);
}

static void behaviour_changed_where_the_phase_has_no_version(void **state)
{
	(void)state;
	assert_true(cof_phases_changed(cof, method));	/* nothing is known */
	enter(1);
	assert_true(cof_phases_changed(cof, method));
	build(1);
	assert_false(cof_phases_changed(cof, method));
	enter(0);
	assert_false(cof_phases_changed(cof, method));
	enter(2);
	assert_true(cof_phases_changed(cof, method));
	enter(1);
	assert_false(cof_phases_changed(cof, method));
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
		T(a_trial_rests_while_its_phase_is_away),
		T(a_trial_that_rests_gives_way_to_another_phase),
		T(a_trial_that_showed_nothing_gives_way_later),
		T(a_trial_whose_phase_stays_away_is_given_up),
		T(a_method_on_trial_is_switched_when_that_is_over),
		T(behaviour_changed_where_the_phase_has_no_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

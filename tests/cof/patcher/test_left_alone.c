/*
 * test_left_alone.c - the program writes to code of its own, of which libcof
 * has versions
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>

#include "optimizer/trial/audit.h"
#include "optimizer/trial/trial.h"
#include "patcher/patcher.h"
#include "process/barrier.h"
#include "sampler/credit.h"
#include "tests/cof/api/own_code.h"
#include "tests/cof/reclaim/reclaim.h"

/* What versions return. */
enum { FIRST = 1, NEW = 2, HOOK = 3, COPY = 11, INLINED = 22, AGAIN = 33 };

/* A function of the program's. */
struct function {
	struct cof_method       *method;
	struct cof_version_desc  first, copy;
	struct cof_version      *version0;
	unsigned char            entry[OWN_JUMP];	/* before the jump */
};

static struct function callee, caller;
static unsigned        rebuilt;

static void make(struct function *f)
{
	f->method = piece_method(cof, f);
	f->first = own_return(FIRST);
	f->copy = own_return(COPY);
	f->first.data = f->copy.data = f;
	assert_int_equal(cof_version_add(f->method, &f->first), 0);
	f->version0 = cof_method_current(f->method);
	memcpy(f->entry, f->first.start, sizeof(f->entry));
}

static void redirect(struct function *f)
{
	assert_int_equal(cof_version_copy(f->method, &f->copy), 0);
	assert_true(own_redirect(f->first.start,
				 cof_method_second_stub(f->method)));
	assert_int_equal(cof_barrier_sync_core(), 0);
}

static int setup_functions(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .discard = discard };

	(void)state;
	own_open();
	host.near = own_page;
	discarded = rebuilt = 0;
	cof_role = COF_ROLE_PICKER;
	if (cof_start(&host, "mode=off,stats=none,code_mb=16,reclaim_ms=1,"
		      "audit=on", NULL, &cof) != 0 || cof_audit_start(cof) != 0)
		return -1;
	make(&callee);
	make(&caller);
	return 0;
}

static int teardown_functions(void **state)
{
	(void)state;
	cof_role = COF_ROLE_PICKER;
	if (callee.version0->state == COF_VERSION_PARKED)
		cof_patcher_retire(callee.version0);
	if (caller.version0->state == COF_VERSION_PARKED)
		cof_patcher_retire(caller.version0);
	cof_audit_stop(cof);
	assert_null(unbalanced(cof->flow));
	cof_free(cof);
	own_close();
	cof_role = COF_ROLE_APP;
	return 0;
}

static int by_stub(const struct function *f)
{
	return piece_run(cof_method_stub(f->method));
}

static int by_entry(const struct function *f)
{
	return piece_run(f->first.start);
}

static struct cof_version *prepare(struct function *f, int value,
				   enum cof_plan plan,
				   const struct function *inlined)
{
	struct piece p = { .n = 0 };
	struct cof_version_desc d;
	int err;

	piece_return(&p, value);
	d = piece_place(cof, &p, NULL);
	d.plan = plan;
	d.inlined = inlined != NULL ? &inlined->method : NULL;
	d.n_inlined = inlined != NULL;
	return cof_patcher_prepare(f->method, &d, &err);
}

static struct cof_version *prepare_over(struct function *f, int value,
					const struct function *inlined)
{
	return prepare(f, value, COF_PLAN_PROFILE, inlined);
}

/* What libcof had built: version 0 is PARKED. */
static struct cof_version *build_over(struct function *f, int value,
				      const struct function *inlined)
{
	struct cof_version *v = prepare_over(f, value, inlined);

	assert_non_null(v);
	assert_true(cof_patcher_install(v, cof_method_current(f->method),
					true));
	return v;
}

static void rebuild(void *ctx, void *data)
{
	struct function *f = data;

	assert_ptr_equal(ctx, &cof);
	rebuilt++;
	piece_add_return(cof, f->method, AGAIN);
}

/* As a host does: the entry is restored first. */
static int leave(struct function *f)
{
	struct cof_own_entry own = { f->method, f->first.start };

	memcpy((void *)(uintptr_t)f->first.start, f->entry, sizeof(f->entry));
	assert_int_equal(cof_barrier_sync_core(), 0);
	return cof_leave_alone(cof, &own, 1, rebuild, &cof);
}

/* The program's: mov $HOOK, %eax. */
static void hook(struct function *f)
{
	unsigned char *at = (unsigned char *)(uintptr_t)f->first.start;

	at[1] = HOOK;
}

static void call_callee(void)
{
	struct piece p = { .n = 0 };

	piece_enter(&p);
	piece_call(&p, callee.method);
	piece_leave(&p);
	piece_add(cof, caller.method, &p, NULL);
}

static void all_callers_meet_what_the_program_writes(void **state)
{
	void *slot = NULL;

	(void)state;
	assert_int_equal(cof_slot_add(callee.method, &slot), 0);
	redirect(&callee);
	build_over(&callee, NEW, NULL);
	call_callee();
	assert_int_equal(by_entry(&callee), NEW);
	assert_int_equal(by_stub(&caller), NEW);
	assert_false(cof_method_is_left_alone(callee.method));
	assert_int_equal(leave(&callee), 1);
	assert_true(cof_method_is_left_alone(callee.method));
	assert_int_equal(by_entry(&callee), FIRST);
	assert_int_equal(by_stub(&callee), FIRST);
	assert_int_equal(by_stub(&caller), FIRST);
	assert_int_equal(piece_run(slot), FIRST);
	hook(&callee);
	assert_int_equal(by_stub(&callee), HOOK);
	assert_int_equal(by_stub(&caller), HOOK);
	assert_int_equal(piece_run(slot), HOOK);
	cof_slot_remove(callee.method, &slot);
}

/* A thread on the jump, or a program that has saved it. */
static void the_second_stub_goes_on_leading_to_versions(void **state)
{
	const void *second;

	(void)state;
	redirect(&callee);
	second = cof_method_second_stub(callee.method);
	assert_ptr_not_equal(second, cof_method_stub(callee.method));
	assert_int_equal(piece_run(second), COPY);
	build_over(&callee, NEW, NULL);
	assert_int_equal(piece_run(second), NEW);
	assert_int_equal(leave(&callee), 1);
	hook(&callee);
	assert_int_equal(piece_run(second), NEW);
	piece_add_return(cof, callee.method, AGAIN);
	assert_int_equal(piece_run(second), AGAIN);
	assert_int_equal(by_stub(&callee), HOOK);
	assert_ptr_equal(cof_method_second_stub(callee.method), second);
}

static void one_that_was_never_redirected_is_reached_by_its_entry(void **state)
{
	(void)state;
	call_callee();
	assert_int_equal(leave(&callee), 1);
	assert_int_equal(leave(&callee), 0);
	hook(&callee);
	assert_int_equal(by_stub(&caller), HOOK);
	assert_int_equal(by_stub(&callee), HOOK);
	assert_int_equal(count(&cof->flow->patcher.left_alone), 1);
}

static void what_has_it_inlined_runs_its_first_version_again(void **state)
{
	(void)state;
	redirect(&callee);
	redirect(&caller);
	build_over(&caller, INLINED, &callee);
	assert_int_equal(by_entry(&caller), INLINED);
	assert_int_equal(leave(&callee), 1);
	assert_int_equal(rebuilt, 0);
	assert_int_equal(by_entry(&caller), COPY);
	assert_int_equal(by_stub(&caller), COPY);
}

static void without_a_copy_the_host_builds_it_anew(void **state)
{
	struct cof_version *v;

	(void)state;
	redirect(&callee);
	v = prepare_over(&caller, INLINED, &callee);
	assert_true(cof_patcher_install(v, NULL, true));
	assert_int_equal(by_stub(&caller), INLINED);
	assert_int_equal(leave(&callee), 1);
	assert_int_equal(rebuilt, 1);
	assert_int_equal(by_stub(&caller), AGAIN);
}

/* Behind the jump, if there is one. */
static void sample_at(const struct cof_version_desc *d)
{
	cof_role = COF_ROLE_SAMPLER;
	cof_credit(cof, (uintptr_t)d->start + OWN_JUMP);
	cof_role = COF_ROLE_PICKER;
}

static void samples_count_for_the_version_that_stands_for_it(void **state)
{
	struct cof_version *again, *b;

	(void)state;
	redirect(&caller);
	redirect(&callee);
	build_over(&caller, INLINED, &callee);
	sample_at(&caller.first);
	assert_int_equal(caller.version0->sampled.total, 1);
	assert_true(callee.version0->code.led);
	assert_int_equal(leave(&callee), 1);
	assert_false(callee.version0->code.led);
	again = cof_method_current(caller.method);
	assert_ptr_not_equal(again, caller.version0);
	sample_at(&caller.first);
	sample_at(&caller.copy);
	assert_int_equal(again->sampled.total, 2);
	assert_int_equal(count(&cof->flow->sampler.recompiled), 0);
	assert_int_equal(caller.version0->sampled.total, 1);

	/* It is tried, and gone back to, like any other. */
	b = build_over(&caller, NEW, NULL);
	assert_int_equal(again->state, COF_VERSION_PARKED);
	for (int i = 0; i < 4; i++) {
		assert_true(cof_patcher_switch(i % 2 ? b : again,
					       i % 2 ? again : b));
		assert_int_equal(by_entry(&caller), i % 2 ? NEW : COPY);
	}
	cof_patcher_retire(again);
	until_free();
	sample_at(&caller.first);
	assert_int_equal(again->sampled.dead, 1);
}

static void each_record_is_discarded_once(void **state)
{
	unsigned records;

	(void)state;
	redirect(&caller);
	build_over(&caller, INLINED, &callee);
	assert_int_equal(leave(&callee), 1);
	until_free();
	records = (unsigned)count(&cof->flow->memory.versions);
	/* Both versions 0, the copy, and the one that stands for it. */
	assert_int_equal(records + discarded, 5);
	cof_patcher_retire(caller.version0);
	cof_audit_stop(cof);
	cof_free(cof);
	/* The last is not the host's. */
	assert_int_equal(discarded, 4);
	own_close();
	assert_int_equal(setup_functions(NULL), 0);
}

static void a_version_that_comes_later_is_refused(void **state)
{
	struct cof_version *v;

	(void)state;
	redirect(&caller);
	v = prepare_over(&caller, INLINED, &callee);
	assert_non_null(v);
	assert_int_equal(leave(&callee), 1);
	assert_false(cof_patcher_install(v, cof_method_current(caller.method),
					 true));
	assert_int_equal(count(&cof->flow->patcher.drop_LEFT_ALONE), 1);
	assert_int_equal(by_entry(&caller), COPY);
}

/* It does not say what it has inlined. */
static void one_of_plan_speed_counts_if_it_was_built_before(void **state)
{
	struct cof_version *before, *late, *after;

	(void)state;
	redirect(&caller);
	before = prepare(&caller, NEW, COF_PLAN_SPEED, NULL);
	late = prepare(&caller, NEW, COF_PLAN_SPEED, NULL);
	assert_true(cof_patcher_install(before, caller.version0, true));
	assert_true(cof_patcher_switch(caller.version0, before));
	assert_int_equal(leave(&callee), 1);
	assert_ptr_equal(cof_method_current(caller.method), caller.version0);
	assert_false(cof_patcher_switch(before, caller.version0));
	assert_false(cof_patcher_install(late, caller.version0, true));
	after = prepare(&caller, AGAIN, COF_PLAN_SPEED, NULL);
	assert_true(cof_patcher_install(after, caller.version0, true));
	assert_int_equal(by_entry(&caller), AGAIN);
	cof_patcher_retire(before);
}

static void its_trial_ends(void **state)
{
	struct cof_trial *t = cof_trial_new(0);
	struct cof_version *b;

	(void)state;
	redirect(&callee);
	b = build_over(&callee, NEW, NULL);
	assert_true(cof_trial_add(t, callee.method, callee.version0, b));
	assert_true(cof_trial_stands(cof, t));
	assert_int_equal(leave(&callee), 1);
	assert_false(cof_trial_stands(cof, t));
	cof_trial_leave(t, b);
	cof_trial_free(t);
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup_functions, \
					teardown_functions)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(all_callers_meet_what_the_program_writes),
		T(the_second_stub_goes_on_leading_to_versions),
		T(one_that_was_never_redirected_is_reached_by_its_entry),
		T(what_has_it_inlined_runs_its_first_version_again),
		T(without_a_copy_the_host_builds_it_anew),
		T(samples_count_for_the_version_that_stands_for_it),
		T(each_record_is_discarded_once),
		T(a_version_that_comes_later_is_refused),
		T(one_of_plan_speed_counts_if_it_was_built_before),
		T(its_trial_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

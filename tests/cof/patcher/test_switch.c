/*
 * test_switch.c - a method switches between versions, by its counting thunk
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/role.h"
#include "instance.h"
#include "optimizer/trial/audit.h"
#include "patcher/counting_thunk.h"
#include "patcher/patcher.h"
#include "tests/support/balance.h"
#include "tests/support/piece.h"

static struct cof        *cof;
static struct cof_method *method;
static struct cof_version *a, *b;
static unsigned           discarded;

static void discard(void *ctx, void *version)
{
	(void)ctx, (void)version;
	discarded++;
}

/* The method has A, which returns 1, PARKED, and B, which returns 2. */
static int setup(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .discard = discard };
	struct piece p = { .n = 0 };
	struct cof_version_desc d;
	int err;

	(void)state;
	discarded = 0;
	cof_role = COF_ROLE_PICKER;
	if (cof_start(&host, "mode=off,stats=none,code_mb=16,audit=on", NULL,
		      &cof) != 0 || cof_audit_start(cof) != 0)
		return -1;
	method = piece_method(cof, NULL);
	piece_add_return(cof, method, 1);
	a = method->current;
	piece_return(&p, 2);
	d = piece_place(cof, &p, NULL);
	b = cof_patcher_prepare(method, &d, &err);
	return cof_patcher_install(b, a, true) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	if (a->state == COF_VERSION_PARKED)
		cof_patcher_retire(a);
	if (b->state == COF_VERSION_PARKED)
		cof_patcher_retire(b);
	cof_audit_stop(cof);
	assert_null(unbalanced(cof->flow));
	assert_int_equal(cof->flow->patcher.parked, 0);
	assert_int_equal(cof->flow->memory.versions,
			 cof->flow->reclaim.waiting +
			 cof->flow->memory.methods);
	cof_free(cof);
	cof_role = COF_ROLE_APP;
	return 0;
}

static int run(void)
{
	return piece_run(cof_method_stub(method));
}

/* A method whose version calls `method` n times, by direct calls. */
static struct cof_method *a_caller(unsigned n)
{
	struct cof_method *caller = piece_method(cof, NULL);
	struct piece p = { .n = 0 };

	piece_enter(&p);
	for (unsigned i = 0; i < n; i++)
		piece_call(&p, method);
	piece_leave(&p);
	piece_add(cof, caller, &p, NULL);
	return caller;
}

static uint64_t entries(void)
{
	return atomic_load(method->thunk.entries);
}

static void the_replaced_version_is_parked(void **state)
{
	(void)state;
	assert_int_equal(a->state, COF_VERSION_PARKED);
	assert_int_equal(b->state, COF_VERSION_CURRENT);
	assert_false(cof_word_read(&a->word).flags & COF_WORD_DEAD);
	assert_int_equal(cof->flow->patcher.parked, 1);
	assert_int_equal(cof->flow->reclaim.waiting, 0);
	assert_int_equal(run(), 2);
}

static void switching_back_and_forth_leads_all_callers(void **state)
{
	struct cof_method *caller = a_caller(1), *m;
	uintptr_t slot = 0;
	unsigned number;

	(void)state;
	assert_int_equal(cof_slot_add(method, (void **)&slot), 0);
	for (int i = 0; i < 10; i++) {
		assert_true(cof_patcher_switch(i % 2 ? b : a, i % 2 ? a : b));
		assert_int_equal(run(), i % 2 ? 2 : 1);
		assert_int_equal(piece_run(cof_method_stub(caller)),
				 i % 2 ? 2 : 1);
		assert_int_equal(piece_run((void *)slot), i % 2 ? 2 : 1);
		assert_int_equal(cof_version_find(cof, (void *)a->code.start,
						  &m, &number),
				 1);
		assert_int_equal(number, 0);
	}
	assert_int_equal(cof->flow->patcher.switches, 10);
}

static void only_the_current_version_is_switched_from(void **state)
{
	(void)state;
	assert_false(cof_patcher_switch(b, a));
	piece_add_return(cof, method, 3);	/* B is retired */
	assert_false(cof_patcher_switch(a, b));
	assert_int_equal(b->state, COF_VERSION_RETIRED);
	assert_int_equal(a->state, COF_VERSION_PARKED);
	assert_int_equal(run(), 3);
}

static void a_method_with_a_thunk_counts_its_entries(void **state)
{
	struct cof_method *caller = a_caller(5);

	(void)state;
	assert_true(cof_patcher_thunk(method, COF_THUNKED_ALL));
	run();
	assert_int_equal(entries(), 0);
	cof_patcher_count(method, true);
	run();
	piece_run(cof_method_stub(caller));
	assert_int_equal(entries(), 6);
	assert_true(cof_patcher_switch(a, b));
	assert_int_equal(run(), 1);
	assert_int_equal(entries(), 7);
	cof_patcher_count(method, false);
	assert_int_equal(run(), 1);
	assert_int_equal(entries(), 7);
	cof_patcher_count(method, true);
	assert_true(cof_patcher_thunk(method, COF_THUNKED_NO));
	assert_int_equal(run(), 1);
	piece_run(cof_method_stub(caller));
	assert_int_equal(entries(), 7);
}

static void callers_inside_the_trial_are_not_counted(void **state)
{
	struct cof_method *inside = a_caller(2), *outside = a_caller(3);

	(void)state;
	cof_patcher_inside(inside, true);
	assert_true(cof_patcher_thunk(method, COF_THUNKED_SITES));
	cof_patcher_count(method, true);
	piece_run(cof_method_stub(inside));
	run();
	assert_int_equal(entries(), 0);
	piece_run(cof_method_stub(outside));
	/* Sites that cross a cache line go by the stub. */
	assert_in_range(entries(), 2, 3);
	cof_patcher_inside(inside, false);
	cof_patcher_thunk(method, COF_THUNKED_NO);
}

/* A thread may be in between when counting begins or ends. */
static void between_counting_and_leading_on_is_a_nop_at_any_time(void **state)
{
	(void)state;
	assert_true(cof_patcher_thunk(method, COF_THUNKED_ALL));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(piece_run((const void *)
					   (method->thunk.address +
					    COF_COUNTING_THUNK_PAST - 1)),
				 2);
		cof_patcher_count(method, i == 0);
	}
	assert_int_equal(entries(), 0);
	assert_true(cof_patcher_thunk(method, COF_THUNKED_NO));
}

/* A register may still hold the address of the thunk. */
static void a_thunk_that_is_not_used_leads_to_the_current_version(void **state)
{
	const void *thunk;

	(void)state;
	assert_true(cof_patcher_thunk(method, COF_THUNKED_ALL));
	thunk = cof_method_entry(method);
	assert_int_equal((uintptr_t)thunk, method->thunk.address);
	assert_true(cof_patcher_thunk(method, COF_THUNKED_NO));
	assert_int_equal((uintptr_t)cof_method_entry(method), b->code.entry);
	piece_add_return(cof, method, 9);
	assert_int_equal(piece_run(thunk), 9);
	assert_int_equal(piece_run((const char *)thunk +
				   COF_COUNTING_THUNK_PAST), 9);
}

__attribute__((noinline)) static int far(void)
{
	return 77;
}

/* The test's own code is out of reach of a rel32. */
static void the_thunk_reaches_a_version_far_away(void **state)
{
	struct cof_version_desc d = { .size = sizeof(d),
				      .start = (const void *)(uintptr_t)far,
				      .size_bytes = 1 };

	(void)state;
	assert_true(cof_patcher_thunk(method, COF_THUNKED_ALL));
	cof_patcher_count(method, true);
	assert_int_equal(run(), 2);
	assert_int_equal(cof_version_add(method, &d), 0);
	assert_int_equal(run(), 77);
	assert_int_equal(entries(), 2);
	assert_true(cof_patcher_thunk(method, COF_THUNKED_NO));
	assert_int_equal(run(), 77);
}

static void a_continuation_is_found_but_never_current(void **state)
{
	struct piece p = { .n = 0 };
	struct cof_version_desc d;
	struct cof_version *v;
	struct cof_method *m;
	unsigned number;
	int err;

	(void)state;
	piece_call(&p, method);
	{
		static struct cof_call_site calls[1];

		d = piece_place(cof, &p, calls);
	}
	v = cof_patcher_prepare(method, &d, &err);
	assert_non_null(v);
	cof_patcher_beside(v);
	assert_int_equal(v->state, COF_VERSION_PARKED);
	assert_int_equal(run(), 2);
	assert_int_equal(cof_version_find(cof, (void *)v->code.start, &m,
					  &number),
			 1);
	assert_int_equal(number, 2);
	assert_int_equal(cof->flow->patcher.sites, 1);
	cof_patcher_retire(v);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_replaced_version_is_parked),
		TEST(switching_back_and_forth_leads_all_callers),
		TEST(only_the_current_version_is_switched_from),
		TEST(a_method_with_a_thunk_counts_its_entries),
		TEST(callers_inside_the_trial_are_not_counted),
		TEST(between_counting_and_leading_on_is_a_nop_at_any_time),
		TEST(a_thunk_that_is_not_used_leads_to_the_current_version),
		TEST(the_thunk_reaches_a_version_far_away),
		TEST(a_continuation_is_found_but_never_current),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

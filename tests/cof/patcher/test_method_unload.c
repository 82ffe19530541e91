/*
 * test_method_unload.c - a host takes a method's code back, and adds it anew
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemem/code_range.h"
#include "codemem/codemem.h"
#include "codemem/insn.h"
#include "optimizer/trial/audit.h"
#include "patcher/patcher.h"
#include "process/barrier.h"
#include "tests/cof/api/own_code.h"
#include "tests/cof/reclaim/reclaim.h"

enum { FIRST = 1, NEW = 2, COPY = 11 };	/* what they return */

/* In discard()'s order: the .data of descriptions. */
#define DISCARDS 64
static const void *gone[DISCARDS];
static unsigned    n_gone;

static struct cof_version_desc first, copy;

static void note_gone(void *ctx, void *version)
{
	(void)ctx;
	assert_true(n_gone < DISCARDS);
	gone[n_gone++] = version;
}

/* The host's code: version 0 and its copy. */
static void compile(void)
{
	own_used = 0;
	first = own_return(FIRST);
	copy = own_return(COPY);
	first.data = &first;
	copy.data = &copy;
}

static int setup_unload(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .discard = note_gone };

	(void)state;
	own_open();
	host.near = own_page;
	n_gone = 0;
	cof_role = COF_ROLE_PICKER;
	if (cof_start(&host, "mode=off,stats=none,code_mb=16,reclaim_ms=1,"
		      "audit=on", NULL, &cof) != 0)
		return -1;
	method = piece_method(cof, NULL);
	compile();
	return cof_version_add(method, &first);
}

static int teardown_unload(void **state)
{
	unsigned records, traps, before = n_gone;

	(void)state;
	cof_stop(cof);
	assert_null(unbalanced(cof->flow));
	records = (unsigned)count(&cof->flow->memory.versions);
	/* The host has not made it. */
	traps = method && cof_method_current(method)->code.is_trap;
	cof_free(cof);
	assert_int_equal(n_gone, before + records - traps);
	own_close();
	cof_role = COF_ROLE_APP;
	return 0;
}

static void redirect(void)
{
	assert_int_equal(cof_version_copy(method, &copy), 0);
	assert_true(own_redirect(first.start, cof_method_stub(method)));
	assert_int_equal(cof_barrier_sync_core(), 0);
}

static struct cof_version *build_over(struct cof_version *old)
{
	struct piece p = { .n = 0 };
	struct cof_version_desc d;
	struct cof_version *v;
	int err;

	piece_return(&p, NEW);
	d = piece_place(cof, &p, NULL);
	d.plan = COF_PLAN_SPEED;
	v = cof_patcher_prepare(method, &d, &err);
	assert_non_null(v);
	assert_true(cof_patcher_install(v, old, true));
	return v;
}

static bool is_known(const struct cof_version_desc *d)
{
	struct cof_method *in;
	unsigned number;

	return cof_version_find(cof, d->start, &in, &number);
}

static void unload(void)
{
	assert_int_equal(cof_method_unload(method), 0);
	assert_non_null(cof_method_current(method));
	assert_int_equal(*(const unsigned char *)
				 cof_method_current(method)->code.start,
			 COF_INSN_TRAP);
}

static void assert_all_gone(void)
{
	assert_false(is_known(&first));
	assert_false(is_known(&copy));
	assert_null(unbalanced(cof->flow));
	assert_int_equal(count(&cof->flow->memory.versions), 1);
}

static void a_version_without_a_copy_goes(void **state)
{
	(void)state;
	unload();
	until_free();
	assert_int_equal(n_gone, 1);
	assert_ptr_equal(gone[0], &first);
	assert_false(is_known(&first));
}

static void version_0_goes_after_its_copy(void **state)
{
	(void)state;
	redirect();
	unload();
	until_free();
	assert_int_equal(n_gone, 2);
	assert_ptr_equal(gone[0], &copy);
	assert_ptr_equal(gone[1], &first);
	assert_all_gone();
}

/* Version 0 was replaced before, and was not to be freed then. */
static void a_replaced_version_0_goes_too(void **state)
{
	struct cof_version *version0 = cof_method_current(method), *v;

	(void)state;
	redirect();
	v = build_over(version0);
	until_free();
	assert_int_equal(n_gone, 0);
	assert_true(is_known(&first));
	unload();
	assert_int_equal(v->state, COF_VERSION_RETIRED);
	until_free();
	assert_int_equal(n_gone, 3);
	assert_all_gone();
}

/* A trial has version 0, and gives it back when it hears that the host has
 * replaced the other one. */
static void a_parked_version_0_goes_once_it_is_retired(void **state)
{
	struct cof_version *version0 = cof_method_current(method);

	(void)state;
	assert_int_equal(cof_audit_start(cof), 0);
	redirect();
	build_over(version0);
	assert_int_equal(version0->state, COF_VERSION_PARKED);
	unload();
	until_free();
	assert_true(is_known(&first));
	assert_false(is_known(&copy));
	cof_patcher_retire(version0);
	until_free();
	assert_all_gone();
}

static void lives_follow_each_other_at_the_same_addresses(void **state)
{
	void *stub = cof_method_stub(method);

	(void)state;
	for (unsigned life = 0; life < 10; life++) {
		if (life > 0) {
			compile();
			assert_int_equal(cof_version_add(method, &first), 0);
		}
		assert_int_equal(piece_run(stub), FIRST);
		redirect();
		assert_int_equal(cof_version_copy(method, &copy), -COF_E_STATE);
		assert_int_equal(piece_run(first.start), COPY);
		build_over(cof_method_current(method));
		assert_int_equal(piece_run(first.start), NEW);
		unload();
		until_free();
		assert_int_equal(n_gone, 3 * (life + 1));
		assert_all_gone();
	}
	assert_ptr_equal(cof_method_stub(method), stub);
}

static void once_is_enough(void **state)
{
	struct cof_method *empty = piece_method(cof, NULL);

	(void)state;
	assert_int_equal(cof_method_unload(NULL), -COF_E_INVAL);
	assert_int_equal(cof_method_unload(empty), 0);
	assert_null(cof_method_current(empty));
	unload();
	assert_int_equal(cof_method_unload(method), 0);
	until_free();
	assert_int_equal(n_gone, 1);
}

static void what_cannot_be_replaced_stays(void **state)
{
	struct cof_code_range *range =
		(struct cof_code_range *)cof_codemem_range(cof->codemem);

	(void)state;
	redirect();
	atomic_store(&cof->can_sync, -1);
	assert_int_equal(cof_method_unload(method), -COF_E_STATE);
	atomic_store(&cof->can_sync, 1);
	range->closed = 1;
	assert_int_equal(cof_method_unload(method), -COF_E_PERM);
	range->closed = 0;
	assert_int_equal(piece_run(first.start), COPY);
	assert_true(is_known(&first));
	assert_true(is_known(&copy));
	until_free();
	unload();
	until_free();
	assert_all_gone();
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup_unload, \
						teardown_unload)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_version_without_a_copy_goes),
		T(version_0_goes_after_its_copy),
		T(a_replaced_version_0_goes_too),
		T(a_parked_version_0_goes_once_it_is_retired),
		T(lives_follow_each_other_at_the_same_addresses),
		T(once_is_enough),
		T(what_cannot_be_replaced_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

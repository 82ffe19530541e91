/*
 * test_direct_entry.c - where the first version stays, its callers come to it
 * without a jump
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/cof/native_code/copied.h"
#include "patcher/direct_entry.h"

static void a_first_version_that_stays_is_entered_directly(void **state)
{
	struct cof_version *b;

	(void)state;
	cof_direct_entry_begin(method);		/* it has no copy */
	assert_false(version0->code.led);
	copy_and_redirect();
	assert_true(version0->code.led);
	b = build_over();
	cof_direct_entry_begin(method);		/* another is current */
	assert_int_equal(directs, 0);
	assert_true(cof_patcher_switch(version0, b));
	method->build.pending = true;
	cof_direct_entry_begin(method);
	assert_int_equal(directs, 0);
	method->build.pending = false;
	cof_direct_entry_begin(method);
	cof_direct_entry_begin(method);
	assert_int_equal(directs, 1);
	assert_int_equal(count(&cof->flow->patcher.direct), 1);
	assert_int_equal(by_bare_entry(), FIRST);
	assert_int_equal(by_stub(), COPY);
	assert_false(version0->code.led);
	/* Where the jump cannot be there again nothing else becomes current. */
	refuses = true;
	assert_false(cof_patcher_switch(b, version0));
	assert_int_equal(by_bare_entry(), FIRST);
	refuses = false;
	assert_true(cof_patcher_switch(b, version0));
	assert_int_equal(directs, 3);
	assert_true(version0->code.led);
	assert_int_equal(by_bare_entry(), NEW);
	assert_true(cof_patcher_switch(version0, b));
	cof_patcher_retire(b);
	until_free();
	assert_int_equal(by_bare_entry(), COPY);
}

static void so_is_one_whose_code_is_built_once_more(void **state)
{
	struct cof_version *b;

	(void)state;
	copy_and_redirect();
	b = build_over_as(true);
	assert_int_equal(by_bare_entry(), NEW);
	cof_direct_entry_begin(method);
	assert_int_equal(directs, 1);
	assert_int_equal(by_bare_entry(), FIRST);
	assert_int_equal(by_stub(), NEW);
	sample_at(&first);
	sample_at(&copy);
	assert_int_equal(b->sampled.total, 2);
	assert_int_equal(version0->sampled.total, 0);
	/* Another version becomes current. */
	assert_true(cof_patcher_switch(version0, b));
	assert_int_equal(directs, 2);
	assert_int_equal(by_bare_entry(), COPY);
	sample_at(&first);
	assert_int_equal(version0->sampled.total, 1);
	assert_int_equal(b->sampled.total, 2);
	/* SAM may still come to its record. */
	cof_patcher_retire(b);
	assert_true(b->retired.never);
}

/* What stands for the first version since another thread has left the method
 * alone (native_code/first_again.h). */
static void what_stands_for_the_first_version_stays(void **state)
{
	static struct cof_version stands = { .code.is_again = true };

	(void)state;
	copy_and_redirect();
	build_over_as(true);
	cof_direct_entry_begin(method);
	atomic_store(&version0->code.again, &stands);
	assert_true(cof_direct_entry_end(method));
	assert_ptr_equal(atomic_load(&version0->code.again), &stands);
	atomic_store(&version0->code.again, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			so_is_one_whose_code_is_built_once_more,
			setup_copied, teardown_copied),
		cmocka_unit_test_setup_teardown(
			what_stands_for_the_first_version_stays,
			setup_copied, teardown_copied),
		cmocka_unit_test_setup_teardown(
			a_first_version_that_stays_is_entered_directly,
			setup_copied, teardown_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

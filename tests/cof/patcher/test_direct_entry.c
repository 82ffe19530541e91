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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_first_version_that_stays_is_entered_directly,
			setup_copied, teardown_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

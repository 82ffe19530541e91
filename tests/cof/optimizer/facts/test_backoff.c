/*
 * test_backoff.c - marks hold for their time, double when repeated, and expire
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "optimizer/facts/backoff.h"

#define LENGTH 50u

static void a_method_is_not_marked_at_first(void **state)
{
	struct cof_method m = { 0 };

	(void)state;
	assert_false(cof_backoff_active(&m, 0));
	assert_false(cof_backoff_active(&m, UINT64_MAX));
}

static void a_mark_holds_for_its_length(void **state)
{
	struct cof_method m = { 0 };

	(void)state;
	cof_backoff_mark(&m, COF_BACKOFF_DECLINED, 1000, LENGTH);
	assert_int_equal(m.backoff.reason, COF_BACKOFF_DECLINED);
	assert_true(cof_backoff_active(&m, 1000));
	assert_true(cof_backoff_active(&m, 1000 + LENGTH - 1));
	assert_false(cof_backoff_active(&m, 1000 + LENGTH));
}

static void repeated_marks_double_up_to_a_cap(void **state)
{
	struct cof_method m = { 0 };
	uint64_t length = LENGTH;

	(void)state;
	for (int i = 0; i < 40; i++) {
		cof_backoff_mark(&m, COF_BACKOFF_NO_ESTIMATE, 7, LENGTH);
		assert_int_equal(m.backoff.until - 7, length);
		if (i < 10)
			length *= 2;
	}
}

static void not_worth_it_is_short_and_does_not_double(void **state)
{
	struct cof_method m = { 0 };
	uint64_t until;

	(void)state;
	cof_backoff_mark(&m, COF_BACKOFF_NOT_WORTH, 10, LENGTH);
	until = m.backoff.until;
	assert_true(until > 10 && until < 10 + LENGTH);
	cof_backoff_mark(&m, COF_BACKOFF_NOT_WORTH, 10, LENGTH);
	assert_int_equal(m.backoff.until, until);
	cof_backoff_mark(&m, COF_BACKOFF_DECLINED, 10, LENGTH);
	assert_int_equal(m.backoff.until, 10 + LENGTH);
	cof_backoff_mark(&m, COF_BACKOFF_NOT_WORTH, 10, 1);
	assert_int_equal(m.backoff.until, 11);
}

static void a_success_makes_the_next_mark_short_again(void **state)
{
	struct cof_method m = { 0 };

	(void)state;
	cof_backoff_mark(&m, COF_BACKOFF_DECLINED, 0, LENGTH);
	cof_backoff_mark(&m, COF_BACKOFF_DECLINED, 0, LENGTH);
	cof_backoff_forgive(&m);
	assert_false(cof_backoff_active(&m, 0));
	cof_backoff_mark(&m, COF_BACKOFF_DECLINED, 0, LENGTH);
	assert_int_equal(m.backoff.until, LENGTH);
}

static void expired_marks_come_off_the_list_and_no_others(void **state)
{
	static struct cof_method m[100];
	struct cof_backoffs list = { 0 };
	unsigned off = 0;

	(void)state;
	assert_int_equal(cof_backoffs_next(&list), UINT64_MAX);
	for (uint32_t i = 0; i < 100; i++) {
		m[i] = (struct cof_method){ 0 };
		cof_backoff_mark(&m[i], COF_BACKOFF_DECLINED, i, LENGTH);
		assert_int_equal(cof_backoffs_add(&list, &m[i]), 0);
		assert_int_equal(cof_backoffs_add(&list, &m[i]), 0);
	}
	assert_int_equal(list.n, 100);
	assert_int_equal(cof_backoffs_next(&list), LENGTH);
	assert_null(cof_backoffs_expire(&list, LENGTH - 1));

	for (struct cof_method *e;
	     (e = cof_backoffs_expire(&list, LENGTH + 29));) {
		assert_true(e < &m[30]);
		assert_int_equal(e->backoff.reason, COF_BACKOFF_NO);
		off++;
	}
	assert_int_equal(off, 30);
	assert_int_equal(list.n, 70);
	assert_int_equal(cof_backoffs_next(&list), LENGTH + 30);
	assert_int_equal(m[30].backoff.reason, COF_BACKOFF_DECLINED);
	cof_backoffs_free(&list);
	assert_int_equal(list.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_method_is_not_marked_at_first),
		cmocka_unit_test(a_mark_holds_for_its_length),
		cmocka_unit_test(repeated_marks_double_up_to_a_cap),
		cmocka_unit_test(not_worth_it_is_short_and_does_not_double),
		cmocka_unit_test(a_success_makes_the_next_mark_short_again),
		cmocka_unit_test(expired_marks_come_off_the_list_and_no_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

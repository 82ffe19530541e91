/*
 * test_remote_thread.c - parse /proc/self/task/TID/syscall
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "reclaim/remote_thread.h"

static void the_line_of_a_system_call_is_parsed(void **state)
{
	struct cof_remote_thread s;

	(void)state;
	assert_true(cof_remote_thread_parse(
		"230 0x0 0x1 0x2 0x7fff32f593b0 0x4 0x0 "
		"0x7fff32f59398 0x7f0d2c951503\n", &s));
	assert_true(s.sp == 0x7fff32f59398);
	assert_true(s.word[3] == 0x7fff32f593b0);
	assert_true(s.word[7] == 0x7f0d2c951503);
	assert_true(cof_remote_thread_parse(
		"0 0xffffffffffffffff 0x1 0x2 0x3 0x4 "
		"0x5 0xabcdef 0x7\n", &s));
	assert_true(s.word[0] == UINT64_MAX && s.sp == 0xabcdef);
}

static void any_other_line_is_refused(void **state)
{
	static const char *const line[] = {
		"running\n",
		"-1 0x7fff32f59398 0x7f0d2c951503\n",
		"",
		"230 0x0 0x1 0x2 0x3 0x4 0x5 0x6\n",
		"230 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x\n",
		"230 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8\n",
	};
	struct cof_remote_thread s;

	(void)state;
	for (size_t i = 0; i < sizeof(line) / sizeof(*line); i++)
		assert_false(cof_remote_thread_parse(line[i], &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_of_a_system_call_is_parsed),
		cmocka_unit_test(any_other_line_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

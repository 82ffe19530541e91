/*
 * test_rlimits.c - what libcof may reserve where the process has limits
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>

#include "memory/rlimits.h"

#define TIB (UINT64_C(1) << 40)

/* Set the soft limit. It leaves enough for the test and sanitizers' shadows. */
static void set_limit(int what, rlim_t bytes)
{
	struct rlimit r;

	assert_int_equal(getrlimit(what, &r), 0);
	r.rlim_cur = bytes;
	assert_int_equal(setrlimit(what, &r), 0);
}

static void without_limits_all_is_given(void **state)
{
	(void)state;
	assert_int_equal(cof_rlimits_addresses(512 * TIB, 8), 512 * TIB);
	assert_int_equal(cof_rlimits_data(512 * TIB, 8), 512 * TIB);
}

static void a_limit_is_shared(void **state)
{
	(void)state;
	set_limit(RLIMIT_AS, 1024 * TIB);
	assert_int_equal(cof_rlimits_addresses(512 * TIB, 8), 128 * TIB);
	assert_int_equal(cof_rlimits_addresses(TIB, 8), TIB);
	assert_int_equal(cof_rlimits_data(512 * TIB, 8), 128 * TIB);
	set_limit(RLIMIT_DATA, 512 * TIB);
	assert_int_equal(cof_rlimits_data(512 * TIB, 8), 64 * TIB);
	assert_int_equal(cof_rlimits_addresses(512 * TIB, 8), 128 * TIB);
}

int main(void)
{
	struct rlimit as, data;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_limits_all_is_given),
		cmocka_unit_test(a_limit_is_shared),
	};

	getrlimit(RLIMIT_AS, &as);
	getrlimit(RLIMIT_DATA, &data);
	if (as.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY)
		return 77;	/* it may not be lifted */
	return cmocka_run_group_tests(tests, NULL, NULL);
}

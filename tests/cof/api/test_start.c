/*
 * test_start.c - a wrong host or wrong options fail the start, which says why
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "tests/support/said.h"
#include "tests/support/started.h"

static void the_library_is_of_the_header_that_it_was_built_with(void **state)
{
	(void)state;
	assert_string_equal(cof_version(), PACKAGE_VERSION);
	assert_string_equal(cof_version(), COF_VERSION_STRING);
	assert_int_equal(cof_api_version(), COF_API_VERSION);
}

static void a_host_that_is_not_one_is_refused(void **state)
{
	struct cof *cof = (struct cof *)&toy;

	(void)state;
	assert_int_equal(cof_start(NULL, NULL, why, &cof), -COF_E_INVAL);
	assert_null(cof);
	assert_true(why[0]);

	why[0] = '\0';
	host.size = 0;
	assert_int_equal(cof_start(&host, NULL, why, &cof), -COF_E_INVAL);
	assert_true(why[0]);

	why[0] = '\0';
	host = toy_host(&toy);
	host.name = NULL;
	assert_int_equal(cof_start(&host, NULL, why, &cof), -COF_E_INVAL);
	assert_true(why[0]);
	assert_int_equal(cof_start(&host, NULL, NULL, &cof), -COF_E_INVAL);

	host = toy_host(&toy);
	assert_int_equal(cof_start(&host, NULL, why, NULL), -COF_E_INVAL);
}

static void fields_a_host_was_not_compiled_with_read_as_zero(void **state)
{
	(void)state;
	host.size = offsetof(struct cof_host, discard);
	assert_int_equal(cof_start(&host, "mode=off,stats=none", why,
				   &toy.cof), 0);
	assert_non_null(toy.cof->host.drop);
	assert_null(toy.cof->host.discard);
	end();
}

static void fields_we_do_not_know_are_left_out(void **state)
{
	struct {
		struct cof_host host;
		void           *newer[4];
	} later = { .host = toy_host(&toy) };

	(void)state;
	later.host.size = sizeof(later);
	memset(later.newer, 0x55, sizeof(later.newer));
	assert_int_equal(cof_start(&later.host, "mode=off,stats=none", why,
				   &toy.cof), 0);
	assert_int_equal(toy.cof->host.size, sizeof(struct cof_host));
	end();
}

static void a_wrong_option_is_named_and_leaves_nothing_running(void **state)
{
	int n = libcof_threads();

	(void)state;
	assert_int_equal(start("mode=co,stats=none,flavour=mild"),
			 -COF_E_INVAL);
	assert_non_null(strstr(why, "flavour"));
	assert_null(toy.cof);
	assert_int_equal(libcof_threads(), n);
}

static void the_environment_comes_first_and_the_host_wins(void **state)
{
	(void)state;
	setenv("COF_OPTIONS", "gain_pct=7,generation_ms=300", 1);
	assert_int_equal(start("mode=off,stats=none,generation_ms=400"), 0);
	assert_int_equal(toy.cof->opts.gain_pct, 7);
	assert_int_equal(toy.cof->opts.generation_ms, 400);
	end();
}

static void a_wrong_option_in_the_environment_is_said_to_be_there(void **state)
{
	(void)state;
	setenv("COF_OPTIONS", "gain_pct=lots", 1);
	assert_int_equal(start("mode=off,stats=none"), -COF_E_INVAL);
	assert_non_null(strstr(why, "COF_OPTIONS"));
	assert_non_null(strstr(why, "gain_pct"));
}

static void a_source_that_cannot_be_had_fails_the_start_and_undoes_it(
	void **state)
{
	int n = libcof_threads();
	void *before[SIGNALS];

	(void)state;
	handlers(before);
	assert_int_equal(start("mode=co,stats=none,source=replay,"
			       "replay=/nonexistent"),
			 -COF_E_INVAL);
	assert_true(why[0]);
	assert_null(toy.cof);
	expect_libcof_threads(n);
	assert_int_equal(changed(before), 0);
}

static void a_stats_directory_that_will_not_do_is_told_of(void **state)
{
	(void)state;
	host.log = said_keep;
	said_lines = 0;
	assert_int_equal(start("mode=co,source=none,stats=/no/such/folder"),
			 0);
	assert_true(said("COF: no stats file: /no/such/folder: No such file"));
	end();
	said_lines = 0;
	assert_int_equal(start("mode=co,source=none,stats=none"), 0);
	assert_int_equal(said_lines, 0);
	end();
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_library_is_of_the_header_that_it_was_built_with),
		T(a_host_that_is_not_one_is_refused),
		T(fields_a_host_was_not_compiled_with_read_as_zero),
		T(fields_we_do_not_know_are_left_out),
		T(a_wrong_option_is_named_and_leaves_nothing_running),
		T(the_environment_comes_first_and_the_host_wins),
		T(a_wrong_option_in_the_environment_is_said_to_be_there),
		T(a_source_that_cannot_be_had_fails_the_start_and_undoes_it),
		T(a_stats_directory_that_will_not_do_is_told_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_replay.c - a file of samples is read, and they come when due
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "cof.h"
#include "sampler/sources/replay.h"

#define MS 1000000u

static char why[160];

static int parse(struct cof_replay *r, const char *text)
{
	FILE *from = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int err;

	assert_non_null(from);
	why[0] = '\0';
	err = cof_replay_parse(r, from, why, sizeof(why));
	fclose(from);
	return err;
}

struct taken {
	uint64_t n, last, sum;
};

static void take(void *arg, const uint64_t *w, uint64_t n)
{
	struct taken *taken = arg;

	assert_int_equal(n, 1);
	taken->n++;
	taken->last = w[0];
	taken->sum += w[0];
}

static uint64_t find(void *arg, const char *name)
{
	(void)arg;
	if (strcmp(name, "fib") == 0)
		return 0x1000;
	if (strcmp(name, "get_Item (object)") == 0)
		return 0x2000;
	return 0;
}

static void all_statements_are_understood(void **state)
{
	struct cof_replay r;
	struct taken t = { 0 };

	(void)state;
	assert_int_equal(parse(&r,
		"# a comment\n"
		"\n"
		"sample @7f00c0de   # in no code\n"
		"  sample fib\n"
		"sample\tfib+1c\n"
		"samples 3 fib+0x20\r\n"
		"sample get_Item (object)+4"), 0);
	cof_replay_run(&r, 0, find, NULL, take, &t);
	assert_int_equal(t.n, 7);
	assert_int_equal(t.sum, 0x7f00c0de + 0x1000 + 0x101c + 3 * 0x1020 +
				0x2004);
	cof_replay_run(&r, 0, find, NULL, take, &t);
	assert_int_equal(t.n, 7);	/* once */
	cof_replay_free(&r);
}

static void samples_wait_until_they_are_due(void **state)
{
	struct cof_replay r;
	struct taken t = { 0 };

	(void)state;
	assert_int_equal(parse(&r, "sample @1\nwait 20\nsample @2\n"
				   "wait 30\nsample @3\n"), 0);
	cof_replay_run(&r, 1000 * MS, find, NULL, take, &t);
	assert_int_equal(t.n, 1);
	cof_replay_run(&r, 1020 * MS - 1, find, NULL, take, &t);
	assert_int_equal(t.n, 1);
	/* Late: the next wait still counts from when this one was due. */
	cof_replay_run(&r, 1049 * MS, find, NULL, take, &t);
	assert_int_equal(t.n, 2);
	cof_replay_run(&r, 1050 * MS, find, NULL, take, &t);
	assert_int_equal(t.last, 3);
	cof_replay_free(&r);
}

static void an_unknown_method_gives_samples_of_no_code(void **state)
{
	struct cof_replay r;
	struct taken t = { .last = 5 };

	(void)state;
	assert_int_equal(parse(&r, "samples 2 later+10\n"), 0);
	cof_replay_run(&r, 0, find, NULL, take, &t);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.sum, 0);
	cof_replay_free(&r);
}

static void a_plus_in_a_name_is_part_of_it(void **state)
{
	struct cof_replay r;

	(void)state;
	assert_int_equal(parse(&r, "sample operator+ (a)\nsample a+b+8\n"), 0);
	assert_string_equal(r.step[0].name, "operator+ (a)");
	assert_int_equal(r.step[0].at, 0);
	assert_string_equal(r.step[1].name, "a+b");
	assert_int_equal(r.step[1].at, 8);
	cof_replay_free(&r);
}

static void a_wrong_line_is_named(void **state)
{
	static const char *const wrong[] = {
		"sample\n", "sample @\n", "sample @12g\n", "wait\n",
		"wait -1\n", "wait 5 ms\n", "samples fib\n", "samples 0 fib\n",
		"samples 3\n", "generation 4\n", "wait 99999999999999999\n",
		"sample @11112222333344445\n",
	};
	struct cof_replay r;
	char text[80];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		snprintf(text, sizeof(text), "# first\nsample fib\n%s",
			 wrong[i]);
		assert_int_equal(parse(&r, text), -COF_E_INVAL);
		assert_non_null(strstr(why, "line 3"));
		assert_null(r.step);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_statements_are_understood),
		cmocka_unit_test(samples_wait_until_they_are_due),
		cmocka_unit_test(an_unknown_method_gives_samples_of_no_code),
		cmocka_unit_test(a_plus_in_a_name_is_part_of_it),
		cmocka_unit_test(a_wrong_line_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

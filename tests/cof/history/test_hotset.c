/*
 * test_hotset.c - which methods of earlier runs are in the hot set
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "history/hotset.h"
#include "history/run_verdict.h"

#define SAMPLES 10000

static struct cof_history_method method[COF_HISTORY_METHODS];
static struct cof_history_past   past;

static int setup(void **state)
{
	(void)state;
	memset(method, 0, sizeof(method));
	past = (struct cof_history_past){ .method = method,
					  .samples = SAMPLES };
	return 0;
}

static struct cof_history_method *add(const char *name, int64_t samples)
{
	struct cof_history_method *m = &method[past.n_methods++];

	snprintf(m->name, sizeof(m->name), "%s", name);
	m->samples = samples;
	return m;
}

static void give_profile(struct cof_history_method *m)
{
	static char profile[] = "seen to run";

	m->profile = profile;
	m->profile_bytes = sizeof(profile);
}

/* `expected`: names of the methods that are found, such as "a c". */
static void assert_known(const char *expected)
{
	struct cof_history_hotset set;
	char found[100] = "";

	assert_int_equal(cof_history_hotset_make(&set, &past), 0);
	for (uint32_t i = 0; i < past.n_methods; i++) {
		const struct cof_history_method *m =
			cof_history_hotset_find(&set, method[i].name);

		if (!m)
			continue;
		assert_ptr_equal(m, &method[i]);
		strcat(found, found[0] ? " " : "");
		strcat(found, m->name);
	}
	assert_string_equal(found, expected);
	cof_history_hotset_free(&set);
}

static void what_is_hot(void **state)
{
	(void)state;
	add("a", 5000);
	add("b", 10);
	add("c", 9);
	assert_known("a b");
}

static void what_ran_and_has_a_profile(void **state)
{
	(void)state;
	give_profile(add("a", 5000));
	give_profile(add("b", 1));
	give_profile(add("c", 0));
	add("d", 1);
	assert_known("a b");
}

static void not_what_was_taken_back(void **state)
{
	(void)state;
	add("a", 5000)->audit = COF_HISTORY_TAKEN_BACK;
	give_profile(add("b", 4000));
	method[1].audit = COF_HISTORY_TAKEN_BACK;
	add("c", 50)->audit = COF_HISTORY_KEPT;
	assert_known("c");
}

/* cof-stats --why counts the methods that are built. */
static void the_evidence_counts_the_same(void **state)
{
	struct cof_history_rules rules = { .retry_runs = 20 };
	struct cof_run_evidence e;

	(void)state;
	add("a", 5000);
	give_profile(add("b", 1));
	add("c", 9);
	cof_history_run_evidence(&past, "", "", &rules, &e);
	assert_int_equal(e.hot, 2);
	assert_int_equal(e.profiles, 1);
	assert_known("a b");
}

static void nothing_is_found_where_nothing_is(void **state)
{
	(void)state;
	past.samples = 0;
	assert_known("");
	add("a", 0);
	assert_known("");
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_is_hot),
		T(what_ran_and_has_a_profile),
		T(not_what_was_taken_back),
		T(the_evidence_counts_the_same),
		T(nothing_is_found_where_nothing_is),
	};

	return cmocka_run_group_tests_name("hotset", tests, NULL, NULL);
}

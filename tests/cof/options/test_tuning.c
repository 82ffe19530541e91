/*
 * test_tuning.c - constants: the table, and text that changes them
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cof.h"
#include "options/tuning.h"
#include "options/tuning_parse.h"

/* libcof's own table. */
#define COF_TUNE_OF cof_tuning
static const struct cof_tune entries[] = {
#include "options/tuning_entries.h"
#include "options/tuning.def"
};

static const struct cof_tune_table ours = {
	"", entries, sizeof(entries) / sizeof(*entries),
};

/* A host's table. */
struct theirs {
	uint32_t whole;
	double   real;
};

static const struct cof_tune their_entries[] = {
	{ "whole", false, offsetof(struct theirs, whole), 2, 100 },
	{ "real", true, offsetof(struct theirs, real), 0, 1 },
};

static const struct cof_tune_table theirs = { "toy.", their_entries, 2 };

static struct theirs values;
static char why[128];

static int parse(const char *list)
{
	why[0] = '\0';
	return cof_tuning_parse(&theirs, &values, list, why, sizeof(why));
}

static void values_are_within_their_limits(void **state)
{
	const struct cof_tuning is = {
#include "options/tuning_values.h"
#include "options/tuning.def"
	};

	(void)state;
	for (size_t i = 0; i < ours.n; i++) {
		const struct cof_tune *t = &entries[i];
		const char *at = (const char *)&is + t->offset;
		double v = t->is_real ? *(const double *)(const void *)at :
					*(const uint32_t *)(const void *)at;

		assert_true(t->least <= v && v <= t->most);
		assert_null(strchr(t->name, '.'));
	}
	assert_true(COF_TUNE(evidence_blocks) == is.evidence_blocks);
	assert_true(COF_TUNE(phase_keep) == is.phase_keep);
}

static void what_is_named_is_set(void **state)
{
	(void)state;
	values = (struct theirs){ 8, 0.5 };
	assert_int_equal(parse(""), 0);
	assert_int_equal(parse("toy.whole=16,toy.real=2.5e-1,"), 0);
	assert_int_equal(values.whole, 16);
	assert_true(values.real == 0.25);
}

static void names_of_others_are_left_to_them(void **state)
{
	struct cof_tuning own = { .evidence_blocks = 1 };

	(void)state;
	values = (struct theirs){ 8, 0.5 };
	assert_int_equal(parse("evidence_blocks=24,llvm.nothing=x"), 0);
	assert_int_equal(values.whole, 8);
	assert_int_equal(cof_tuning_parse(&ours, &own,
					  "toy.whole=16,evidence_blocks=24",
					  why, sizeof(why)), 0);
	assert_int_equal(own.evidence_blocks, 24);
}

static void what_is_wrong_is_said(void **state)
{
	static const char *const wrong[] = {
		"toy.hole=3", "toy.whole", "toy.whole=", "toy.whole=1",
		"toy.whole=101", "toy.whole=2.5", "toy.whole=-3",
		"toy.whole=0x10", "toy.whole=3 ", "toy.real=nan",
		"toy.real=inf", "toy.real=1.1", "toy.real=1,toy.", "toy.who=3",
		"toy.real=0.00000000000000000000000000000000000001",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(parse(wrong[i]), -COF_E_INVAL);
		assert_non_null(strstr(why, "COF_TUNING: "));
	}
	assert_int_equal(parse("toy.whole=101"), -COF_E_INVAL);
	assert_string_equal(why, "COF_TUNING: toy.whole is a whole number from "
				 "2 to 100");
}

static bool was_read(const char *name)
{
	size_t at = 0;
	const char *read = cof_tuning_next_read(&at);

	while (read && strcmp(read, name) != 0)
		read = cof_tuning_next_read(&at);
	return read != NULL;
}

/* In a normal build nobody keeps account. */
static void what_is_read_is_known(void **state)
{
	(void)state;
	assert_false(was_read("drift_same"));
	assert_true(COF_TUNE(drift_same) > 0);
#ifdef COF_ENABLE_TUNING
	assert_true(was_read("drift_same"));
	assert_false(was_read("drift_samples"));
#else
	assert_false(was_read("drift_same"));
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_within_their_limits),
		cmocka_unit_test(what_is_named_is_set),
		cmocka_unit_test(names_of_others_are_left_to_them),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(what_is_read_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

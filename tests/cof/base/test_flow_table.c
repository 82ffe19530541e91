/*
 * test_flow_table.c - the descriptors lead to the counters they name
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/flow.h"
#include "stats/stats_file.h"

static struct cof_flow flow;

static void every_counter_has_a_descriptor_that_reads_it(void **state)
{
	uint64_t n = 0;
	size_t i = 0;

	(void)state;
	/* Set by field name, read through the table, in the same order. */
#define SET(s, field) cof_count_set(&flow.s.field, ++n);
#define COF_STAGE(s)
#define COF_IN(s, name, unit, doc)   SET(s, name)
#define COF_OUT(s, name, unit, doc)  SET(s, name)
#define COF_STAT(s, name, unit, doc) SET(s, name)
#define COF_DROP(s, NAME, doc)       SET(s, drop_##NAME)
#define COF_STAGE_END(s)
#include "base/flow.def"
	assert_int_equal(cof_flow_table_len, n);
	for (; i < cof_flow_table_len; i++)
		assert_int_equal(cof_flow_read(&flow, &cof_flow_table[i]),
				 i + 1);
}

static void every_counter_lies_inside_on_its_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < cof_flow_table_len; i++) {
		const struct cof_flow_desc *d = &cof_flow_table[i];

		assert_int_equal(d->offset % sizeof(cof_count), 0);
		assert_true(d->offset + sizeof(cof_count) <= sizeof(flow));
		if (i > 0)
			assert_true(d->offset > cof_flow_table[i - 1].offset);
	}
}

static void stages_do_not_share_a_cache_line(void **state)
{
	(void)state;
	for (size_t i = 1; i < cof_flow_table_len; i++)
		if (strcmp(cof_flow_table[i].stage,
			   cof_flow_table[i - 1].stage) != 0)
			assert_int_equal(cof_flow_table[i].offset %
					 COF_CACHELINE, 0);
}

static void names_are_unique_and_texts_fit_the_stats_file(void **state)
{
	struct cof_stats_file_desc in_file;

	(void)state;
	for (size_t i = 0; i < cof_flow_table_len; i++) {
		const struct cof_flow_desc *d = &cof_flow_table[i];

		assert_true(strlen(d->stage) < sizeof(in_file.stage));
		assert_true(strlen(d->name) < sizeof(in_file.name));
		assert_true(strlen(d->unit) < sizeof(in_file.unit));
		assert_true(strlen(d->doc) < sizeof(in_file.doc));
		for (size_t k = 0; k < i; k++)
			assert_false(strcmp(cof_flow_table[k].stage,
					    d->stage) == 0 &&
				     strcmp(cof_flow_table[k].name,
					    d->name) == 0);
	}
}

static void what_goes_in_has_a_way_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < cof_flow_table_len; i++) {
		int out = 0;

		if (cof_flow_table[i].kind != COF_FLOW_IN)
			continue;
		for (size_t k = 0; k < cof_flow_table_len; k++)
			out += strcmp(cof_flow_table[k].stage,
				      cof_flow_table[i].stage) == 0 &&
			       cof_flow_table[k].kind == COF_FLOW_OUT;
		assert_true(out >= 1);
	}
}

static void counting_adds_and_sets(void **state)
{
	cof_count c = 0;

	(void)state;
	cof_count_add(&c, 5);
	cof_count_add_shared(&c, 7);
	assert_int_equal(cof_count_get(&c), 12);
	cof_count_add_shared(&c, (uint64_t)-2);
	assert_int_equal(cof_count_get(&c), 10);
	cof_count_set(&c, 3);
	assert_int_equal(cof_count_get(&c), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_counter_has_a_descriptor_that_reads_it),
		cmocka_unit_test(every_counter_lies_inside_on_its_own),
		cmocka_unit_test(stages_do_not_share_a_cache_line),
		cmocka_unit_test(names_are_unique_and_texts_fit_the_stats_file),
		cmocka_unit_test(what_goes_in_has_a_way_out),
		cmocka_unit_test(counting_adds_and_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

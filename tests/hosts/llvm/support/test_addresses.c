/*
 * test_addresses.c - the table of a program's addresses is read, and no damaged
 * one is
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/addresses.h"

enum { N_FUNCTIONS = 2, N = 4 };

static const char text[] = "\0f\0g\0a\0b\0V1";

static struct table {
	struct cofl_addresses head;
	struct cofl_address   entry[N];
	char                  names[sizeof(text)];
} table;

static int begin(void **state)
{
	(void)state;
	memset(&table, 0, sizeof(table));
	table.head = (struct cofl_addresses){ COFL_ADDRESSES_MAGIC, N,
					      N_FUNCTIONS, sizeof(text) };
	table.entry[0] = (struct cofl_address){
		.address = 0x1000, .bytes = 32, .name = 3,
		.flags = COFL_ADDRESS_FUNCTION | COFL_ADDRESS_PATCHABLE,
		.first_bytes = 2 };
	table.entry[1] = (struct cofl_address){
		.address = 0x1020, .bytes = 8, .name = 1,
		.flags = COFL_ADDRESS_FUNCTION };
	table.entry[2] = (struct cofl_address){
		.name = 5, .version = 9, .flags = COFL_ADDRESS_LIBRARY };
	table.entry[3] = (struct cofl_address){ .address = 8, .name = 7 };
	memcpy(table.names, text, sizeof(text));
	return 0;
}

static size_t size(void)
{
	return offsetof(struct table, names) + sizeof(text);
}

/* Read the first `n` bytes, in a block of that size. */
static bool opens_first(size_t n)
{
	const struct cofl_addresses *head;
	const struct cofl_address *entries;
	const char *names;
	char *copy = malloc(n != 0 ? n : 1);
	bool opened;

	assert_non_null(copy);
	memcpy(copy, &table, n);
	opened = cofl_addresses_open(&head, &entries, &names, copy, n);
	free(copy);
	return opened;
}

static bool opens(void)
{
	return opens_first(size());
}

static void entries_and_names_are_found(void **state)
{
	const struct cofl_addresses *head;
	const struct cofl_address *entries;
	const char *names;

	(void)state;
	assert_true(cofl_addresses_open(&head, &entries, &names,
					(const char *)&table, size()));
	assert_int_equal(head->n, N);
	assert_int_equal(head->n_functions, N_FUNCTIONS);
	assert_int_equal(entries[0].first_bytes, 2);
	assert_int_equal(entries[3].address, 8);
	assert_string_equal(names + entries[1].name, "f");
	assert_string_equal(names + entries[2].version, "V1");
}

static void a_table_without_entries_is_one(void **state)
{
	(void)state;
	table.head.n = table.head.n_functions = 0;
	table.head.name_bytes = 1;
	memset(table.entry, 0, 1);
	assert_true(opens_first(sizeof(table.head) + 1));
}

static void a_part_of_a_table_is_none(void **state)
{
	(void)state;
	assert_true(opens());
	for (size_t n = 0; n < size(); n++)
		assert_false(opens_first(n));
}

static void misaligned_bytes_are_refused(void **state)
{
	_Alignas(8) char moved[sizeof(table) + 8];
	const struct cofl_addresses *head;
	const struct cofl_address *entries;
	const char *names;

	(void)state;
	memcpy(moved + 4, &table, size());
	assert_false(cofl_addresses_open(&head, &entries, &names, moved + 4,
					 size()));
}

static void offsets_outside_the_names_are_refused(void **state)
{
	(void)state;
	table.entry[3].name = sizeof(text);
	assert_false(opens());
	begin(state);
	table.entry[3].version = sizeof(text);
	assert_false(opens());
	begin(state);
	table.names[sizeof(text) - 1] = 'x';
	assert_false(opens());
}

static void counts_that_do_not_fit_are_refused(void **state)
{
	(void)state;
	table.head.n = UINT32_MAX;
	assert_false(opens());
	begin(state);
	table.head.n_functions = N + 1;
	assert_false(opens());
	begin(state);
	table.head.name_bytes++;
	assert_false(opens());
	begin(state);
	table.head.name_bytes = 0;
	assert_false(opens_first(offsetof(struct table, names)));
}

static void entries_out_of_order_are_refused(void **state)
{
	(void)state;
	table.entry[1].address = 0x1000;
	assert_false(opens());
	begin(state);
	table.entry[1].flags = 0;
	assert_false(opens());
	begin(state);
	table.entry[3].flags = COFL_ADDRESS_FUNCTION;
	assert_false(opens());
	begin(state);
	table.entry[2].name = 7;
	table.entry[3].name = 5;
	assert_false(opens());
}

/* Whatever byte is another one: nothing outside is read (ASan, Valgrind), and
 * what opens has names that end. */
static void damaged_bytes_stay_inside(void **state)
{
	unsigned opened = 0;

	(void)state;
	for (size_t i = 0; i < size(); i++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			((char *)&table)[i] ^= (char)(1 << bit);
			opened += opens();
			((char *)&table)[i] ^= (char)(1 << bit);
		}
	}
	/* Addresses, sizes and most flags may be anything. */
	assert_true(opened > 0);
	assert_true(opened < 8 * size());
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, begin)
		TEST(entries_and_names_are_found),
		TEST(a_table_without_entries_is_one),
		TEST(a_part_of_a_table_is_none),
		TEST(misaligned_bytes_are_refused),
		TEST(offsets_outside_the_names_are_refused),
		TEST(counts_that_do_not_fit_are_refused),
		TEST(entries_out_of_order_are_refused),
		TEST(damaged_bytes_stay_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_code_owners.c - which function's code is at an address
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "native/code_owners.h"

#define BIAS 0x1000u

/* Not in the order of their addresses; two of one body; one without a body, one
 * at an address of its own, and a variable behind the functions. */
static const struct cofl_address entry[] = {
	{ .address = 0x500, .bytes = 0x20 },
	{ .address = 0x100, .bytes = 0x80 },
	{ .address = 0x180, .bytes = 1 },
	{ .address = 0x100, .bytes = 0x80 },
	{ .address = 0x300 },
	{ .address = 0x9000, .bytes = 8, .flags = COFL_ADDRESS_ABSOLUTE },
	{ .address = 0x600, .bytes = 8 },
};
static struct cofl_addresses head = { .n_functions = 6, .n = 7 };
static const struct cofl_executable executable = {
	.head = &head, .entry = entry, .bias = BIAS,
};
static struct cofl_code_owners code_owners;

static void at(uintptr_t address, int64_t want)
{
	assert_int_equal(cofl_code_owners_find(&code_owners, address), want);
}

static void an_address_is_in_one_body_or_none(void **state)
{
	(void)state;
	at(0, -1);
	at(BIAS + 0xff, -1);
	at(BIAS + 0x100, 1);
	at(BIAS + 0x17f, 1);
	at(BIAS + 0x180, 2);
	at(BIAS + 0x181, -1);
	at(BIAS + 0x300, -1);
	at(BIAS + 0x4ff, -1);
	at(BIAS + 0x500, 0);
	at(BIAS + 0x51f, 0);
	at(BIAS + 0x520, -1);
	at(BIAS + 0x600, -1);
	at(0x9000, 5);
	at(0x9008, -1);
	at(BIAS + 0x9000, -1);
	at(UINTPTR_MAX, -1);
}

static void the_first_of_two_has_the_body(void **state)
{
	static const uint32_t owners[] = { 1, 1, 1, 0, 0, 1 };

	(void)state;
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(cofl_code_owners_has(&code_owners, i),
				 owners[i]);
}

static void a_program_may_have_none(void **state)
{
	static struct cofl_addresses empty;
	static const struct cofl_executable nothing = { .head = &empty };
	struct cofl_code_owners none;

	(void)state;
	cofl_code_owners_init(&none, &nothing);
	assert_int_equal(cofl_code_owners_find(&none, 0), -1);
	assert_int_equal(cofl_code_owners_find(&none, BIAS + 0x100), -1);
	free(none.number);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_in_one_body_or_none),
		cmocka_unit_test(the_first_of_two_has_the_body),
		cmocka_unit_test(a_program_may_have_none),
	};
	int failed;

	cofl_code_owners_init(&code_owners, &executable);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(code_owners.number);
	return failed;
}

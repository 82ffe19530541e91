/*
 * test_vtables.c - slots of vtables lead elsewhere, and nothing else does
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "native/executable.h"
#include "native/vtables.h"

#define FROM  UINT64_C(0x1000)
#define OTHER UINT64_C(0x2000)
#define TO    UINT64_C(0x3000)

/* Entries by name, as in an executable, after one of a function. */
static const char names[] = "\0f\0_ZTC1A\0_ZTV1B\0_ZTV1C\0table";
enum { NAME_F = 1, NAME_A = 3, NAME_B = 10, NAME_C = 17, NAME_TABLE = 24 };

static const struct cofl_addresses head = { .n = 5, .n_functions = 1 };
static struct cofl_address entry[5];
static const struct cofl_executable executable = {
	.head = &head, .entry = entry, .names = names,
};
static uintptr_t *word;

static struct cofl_address at(uint32_t name, unsigned first, unsigned n,
			      uint16_t flags)
{
	return (struct cofl_address){
		.address = (uintptr_t)&word[first], .name = name,
		.bytes = (uint32_t)(n * sizeof(*word)), .flags = flags };
}

static int setup(void **state)
{
	static const uintptr_t words[] = {
		0, FROM, OTHER,		/* A */
		FROM, FROM,		/* B */
		FROM,			/* a library's */
		FROM, FROM,		/* a table of the program's */
	};
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	(void)state;
	word = mmap(NULL, page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(word, MAP_FAILED);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		word[i] = words[i];
	assert_int_equal(mprotect(word, page, PROT_READ), 0);
	entry[0] = at(NAME_F, 6, 1, COFL_ADDRESS_FUNCTION);
	entry[1] = at(NAME_A, 0, 3, 0);
	entry[2] = at(NAME_B, 3, 2, 0);
	entry[3] = at(NAME_C, 5, 1, COFL_ADDRESS_LIBRARY);
	entry[4] = at(NAME_TABLE, 6, 2, 0);
	cofl_vtables_init(&executable);
	return 0;
}

/* The kernel says so. */
static void assert_read_only(void)
{
	int pipes[2];
	char c = 1;

	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(write(pipes[1], &c, 1), 1);
	assert_int_equal(read(pipes[0], word, 1), -1);
	assert_int_equal(errno, EFAULT);
	close(pipes[0]);
	close(pipes[1]);
}

static void assert_words(uintptr_t slots)
{
	const uintptr_t is[] = { 0, slots, OTHER, slots, slots, FROM, FROM,
				 FROM };

	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++)
		assert_int_equal(word[i], is[i]);
}

static void slots_lead_elsewhere_and_back(void **state)
{
	(void)state;
	assert_true(cofl_vtables_lead(FROM, TO));
	assert_words(TO);
	assert_read_only();
	assert_false(cofl_vtables_lead(FROM, TO));
	assert_true(cofl_vtables_lead(TO, FROM));
	assert_words(FROM);
}

/* The last: there is no way back. */
static void what_the_program_writes_to_is_left_to_it(void **state)
{
	uintptr_t lo = (uintptr_t)word;

	(void)state;
	cofl_vtables_leave(lo - 100, lo);
	assert_true(cofl_vtables_lead(FROM, TO));
	assert_true(cofl_vtables_lead(TO, FROM));
	cofl_vtables_leave(lo, lo + 1);
	assert_false(cofl_vtables_lead(FROM, TO));
	assert_words(FROM);
	assert_read_only();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_lead_elsewhere_and_back),
		cmocka_unit_test(what_the_program_writes_to_is_left_to_it),
	};

	return cmocka_run_group_tests_name("vtables", tests, setup, NULL);
}

/*
 * test_written_code.c - a program writes to functions that libcof has
 * redirected, or is about to
 *
 *	page 0   functions 0 and 1; 2 ends on page 1
 *	page 1   functions 3 and 4
 */
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "cof.h"
#include "cofl.h"
#include "native/methods.h"
#include "native/text_page.h"
#include "tests/support/piece.h"

#define PAGE    4096u
#define METHODS 5u
#define HOOK    1000

enum { BUILT = 100 };	/* + the number of the function */

/* mov $N, %eax; ret */
static const unsigned char body[] = { 0xb8, 0, 0, 0, 0, 0xc3 };

static const uint32_t offset[METHODS] = { 64, 256, PAGE - 16, PAGE + 64,
					  PAGE + 256 };
static const uint32_t bytes[METHODS] = { sizeof(body), sizeof(body), 40,
					 sizeof(body), sizeof(body) };

static char                  *text;
static unsigned char          linked[2 * PAGE];	/* as the linker left it */
static struct cofl_address    entry[METHODS];
static const char             names[] = "\0a\0b\0c\0d\0e";
static struct cofl_addresses  head = { .n_functions = METHODS, .n = METHODS };
static struct cofl_executable executable = {
	.head = &head, .entry = entry, .names = names,
};
static struct cofl host;

/* -- The program ----------------------------------------------------------- */

static uintptr_t function(uint32_t i)
{
	return (uintptr_t)text + offset[i];
}

static int call(uint32_t i)
{
	return ((int (*)(void))function(i))();
}

static int by_stub(uint32_t i)
{
	return piece_run(cof_method_stub(host.method[i].method));
}

static void make_program(void)
{
	text = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(text, MAP_FAILED);
	memset(text, 0xcc, 2 * PAGE);
	for (uint32_t i = 0; i < METHODS; i++) {
		memcpy((char *)function(i), body, sizeof(body));
		*(char *)(function(i) + 1) = (char)i;
		entry[i] = (struct cofl_address){
			.address = function(i), .bytes = bytes[i],
			.name = 1 + 2 * i, .first_bytes = 5,
			.flags = COFL_ADDRESS_PATCHABLE |
				 COFL_ADDRESS_ABSOLUTE,
		};
	}
	memcpy(linked, text, sizeof(linked));
	assert_int_equal(mprotect(text, 2 * PAGE, PROT_READ | PROT_EXEC), 0);
}

static int setup(void **state)
{
	struct cof_host of = { .size = sizeof(of), .name = "test" };

	(void)state;
	make_program();
	of.near = text;
	memset(&host, 0, sizeof(host));
	cofl_methods_init(&host, &executable);
	if (cof_start(&of, "mode=off,stats=none,code_mb=16", NULL,
		      &host.cof) != 0)
		return -1;
	for (uint32_t i = 0; i < METHODS; i++)
		if (cofl_methods_add(&host.method[i]) == NULL)
			return -1;
	return 0;
}

/* Each test has pages of its own, which stay left to it. */
static int teardown(void **state)
{
	(void)state;
	cof_free(host.cof);
	return 0;
}

/* As libcof's: redirected, and another version is current. */
static void build(uint32_t i)
{
	struct cofl_method *m = &host.method[i];

	assert_true(cofl_methods_take_over(m));
	piece_add_return(host.cof, m->method, BUILT + (int)i);
	assert_int_equal(call(i), BUILT + (int)i);
	assert_int_equal(by_stub(i), BUILT + (int)i);
}

/* The program makes pages writable; then it may write there. */
static size_t make_writable(uint32_t page, uint32_t n_pages)
{
	char *at = text + page * PAGE;
	size_t n = cofl_methods_leave_alone(&host, at + 1, n_pages * PAGE - 1);

	assert_int_equal(mprotect(at, n_pages * PAGE,
				  PROT_READ | PROT_WRITE | PROT_EXEC), 0);
	return n;
}

static void hook(uint32_t i)
{
	*(volatile int32_t *)(function(i) + 1) = HOOK;
}

/* All but the five bytes before it. */
static void assert_as_linked(uint32_t i)
{
	assert_memory_equal((void *)function(i), linked + offset[i], bytes[i]);
	assert_memory_equal((void *)(function(i) - 16), linked + offset[i] - 16,
			    11);
}

/* -- Tests ----------------------------------------------------------------- */

static void the_program_sees_its_functions_as_they_were(void **state)
{
	(void)state;
	build(0);
	build(3);
	assert_int_equal(make_writable(0, 1), 3);
	assert_as_linked(0);
	assert_int_equal(call(0), 0);
	assert_int_equal(by_stub(0), 0);
	hook(0);
	assert_int_equal(call(0), HOOK);
	assert_int_equal(by_stub(0), HOOK);
	/* The other page is as it was. */
	assert_int_equal(call(3), BUILT + 3);
}

static void its_functions_are_left_alone_from_then_on(void **state)
{
	unsigned char same = linked[offset[1]];

	(void)state;
	make_writable(0, 1);
	for (uint32_t i = 0; i < METHODS; i++) {
		bool is_left = i < 3;

		assert_int_equal(host.method[i].pinned, is_left);
		assert_int_equal(cof_method_is_left_alone(
					 host.method[i].method), is_left);
		assert_int_equal(cofl_methods_take_over(&host.method[i]),
				 !is_left);
	}
	assert_false(cofl_text_page_write(function(1), &same, 1));
	assert_int_equal(make_writable(0, 1), 0);
	hook(1);
	assert_int_equal(by_stub(1), HOOK);
}

/* Its end is on the page that the program writes to, and its entry is not. */
static void a_function_on_two_pages_is_left_alone_with_either(void **state)
{
	(void)state;
	build(2);
	build(1);
	assert_int_equal(make_writable(1, 1), 3);
	assert_as_linked(2);
	assert_int_equal(call(2), 2);
	assert_int_equal(by_stub(2), 2);
	assert_int_equal(call(1), BUILT + 1);
	/* Its first page may still be changed. */
	assert_true(cofl_methods_take_over(&host.method[0]));
}

/* What was read before: the short jump, and what is in front of it. */
static void the_jump_of_before_leads_to_a_version(void **state)
{
	unsigned char was[2];

	(void)state;
	build(4);
	memcpy(was, (void *)function(4), sizeof(was));
	make_writable(1, 1);
	assert_int_equal(call(4), 4);
	memcpy((void *)function(4), was, sizeof(was));
	assert_int_equal(call(4), BUILT + 4);
	assert_int_equal(by_stub(4), BUILT + 4);
}

static void one_that_libcof_sees_later_is_left_alone_too(void **state)
{
	struct cofl_method *m;

	(void)state;
	cof_free(host.cof);
	memset(&host, 0, sizeof(host));
	cofl_methods_init(&host, &executable);
	assert_int_equal(cof_start(&(struct cof_host){
		.size = sizeof(struct cof_host), .name = "test", .near = text,
	}, "mode=off,stats=none,code_mb=16", NULL, &host.cof), 0);
	assert_int_equal(make_writable(0, 2), 0);
	m = &host.method[0];
	assert_non_null(cofl_methods_add(m));
	assert_true(cof_method_is_left_alone(m->method));
	hook(0);
	assert_int_equal(by_stub(0), HOOK);
}

/* -- While others run ------------------------------------------------------ */

static _Atomic bool     over, is_hooked;
static _Atomic unsigned wrong, calls;

static void *run(void *unused)
{
	while (!over) {
		bool must = is_hooked;
		int got = (calls & 1) ? call(4) : by_stub(4);

		wrong += got != HOOK &&
			 (must || (got != 4 && got != BUILT + 4));
		calls++;
	}
	return unused;
}

static void await_calls(void)
{
	unsigned then = calls;

	while (calls - then < 1000)
		sched_yield();
}

static void threads_meet_one_of_the_three(void **state)
{
	pthread_t thread[2];

	(void)state;
	over = is_hooked = false;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run, NULL),
				 0);
	await_calls();
	build(4);
	await_calls();
	make_writable(1, 1);
	await_calls();
	hook(4);
	is_hooked = true;
	await_calls();
	over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(wrong, 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_program_sees_its_functions_as_they_were),
		T(its_functions_are_left_alone_from_then_on),
		T(a_function_on_two_pages_is_left_alone_with_either),
		T(the_jump_of_before_leads_to_a_version),
		T(one_that_libcof_sees_later_is_left_alone_too),
		T(threads_meet_one_of_the_three),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_entry.c - entries of native functions are redirected while they run
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <pthread.h>
#include <cmocka.h>

#include "native/entry.h"

#define PAGE 4096u
#define THREADS 3

/* mov $N, %eax; ret: what cof-cc makes of a function that returns N. */
static const unsigned char body[] = { 0xb8, 0, 0, 0, 0, 0xc3 };

typedef int function(void);

struct text {
	char *at;	/* two pages, read and executable */
};

static void map_text(struct text *t)
{
	t->at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(t->at, MAP_FAILED);
	memset(t->at, 0xcc, 2 * PAGE);
}

static uintptr_t put(struct text *t, size_t offset, int32_t value)
{
	memcpy(t->at + offset, body, sizeof(body));
	memcpy(t->at + offset + 1, &value, sizeof(value));
	return (uintptr_t)t->at + offset;
}

static void seal(struct text *t)
{
	assert_int_equal(mprotect(t->at, 2 * PAGE, PROT_READ | PROT_EXEC), 0);
}

static int call(uintptr_t f)
{
	return ((function *)f)();
}

static void callers_come_to_the_other_function(void **state)
{
	/* Within a page, at its end, and where the prefix is on the page
	 * before. */
	static const size_t offsets[] = { 64, PAGE - 16, PAGE };
	(void)state;

	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		struct text t;
		uintptr_t old, new, other;

		map_text(&t);
		old = put(&t, offsets[i], 1);
		new = put(&t, PAGE + 512, 2);
		other = put(&t, 1024, 3);
		seal(&t);
		assert_int_equal(call(old), 1);
		assert_true(cofl_entry_redirect(old, new));
		assert_int_equal(call(old), 2);
		assert_int_equal(call(new), 2);
		assert_int_equal(call(other), 3);
		munmap(t.at, 2 * PAGE);
	}
}

static void the_page_stays_read_only(void **state)
{
	struct text t;
	int zeros = open("/dev/zero", O_RDONLY);

	(void)state;
	assert_true(zeros >= 0);
	map_text(&t);
	put(&t, 64, 1);
	put(&t, PAGE, 2);
	seal(&t);
	assert_true(cofl_entry_redirect((uintptr_t)t.at + 64,
					(uintptr_t)t.at + PAGE));
	/* The kernel refuses to write there for us. */
	assert_int_equal(read(zeros, t.at, 1), -1);
	assert_int_equal(errno, EFAULT);
	close(zeros);
	munmap(t.at, 2 * PAGE);
}

static void what_is_out_of_reach_is_left_as_it_is(void **state)
{
	struct text t;
	uintptr_t old;

	(void)state;
	map_text(&t);
	old = put(&t, 64, 1);
	seal(&t);
	assert_false(cofl_entry_redirect(old, old + (UINT64_C(1) << 31) + 64));
	assert_false(cofl_entry_redirect(old, old - (UINT64_C(1) << 32)));
	assert_int_equal(call(old), 1);
	munmap(t.at, 2 * PAGE);
}

static void the_copy_goes_on_behind_the_first_instruction(void **state)
{
	struct text t;
	uintptr_t old, new;
	char *copy;

	(void)state;
	map_text(&t);
	old = put(&t, 64, 1);
	new = put(&t, 256, 2);
	copy = t.at + PAGE + 64;
	/* mov $7, %eax; the function's own return follows. */
	assert_true(cofl_entry_copy(old, 5, copy, (uintptr_t)copy));
	seal(&t);
	assert_true(cofl_entry_redirect(old, new));
	assert_int_equal(call(old), 2);
	assert_int_equal(call((uintptr_t)copy), 1);
	munmap(t.at, 2 * PAGE);
}

/* -- While others run ------------------------------------------------------ */

#define FUNCTIONS 64u

static struct text shared;
static _Atomic bool over;
static _Atomic uint32_t redirected;	/* the first so many are, for certain */
static _Atomic uint64_t wrong, calls;

static uintptr_t place(uint32_t i)
{
	return (uintptr_t)shared.at + 64 + 96 * (uintptr_t)i;
}

static void *run(void *unused)
{
	while (!over) {
		for (uint32_t i = 0; i < FUNCTIONS; i++) {
			bool must = i < redirected;
			int got = call(place(i));

			if (got != 2 && (got != 1 || must))
				wrong++;
			calls++;
		}
	}
	return unused;
}

static void threads_meet_the_old_function_or_the_new(void **state)
{
	pthread_t thread[THREADS];
	uintptr_t new;

	(void)state;
	map_text(&shared);
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		put(&shared, place(i) -
			     (uintptr_t)shared.at, 1);
	new = put(&shared, 2 * PAGE - 64, 2);
	seal(&shared);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run, NULL),
				 0);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		uint64_t then = calls;

		assert_true(cofl_entry_redirect(place(i),
						new));
		redirected = i + 1;
		while (calls < then + 2 * FUNCTIONS)
			sched_yield();
	}
	over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(wrong, 0);
	munmap(shared.at, 2 * PAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_come_to_the_other_function),
		cmocka_unit_test(the_page_stays_read_only),
		cmocka_unit_test(what_is_out_of_reach_is_left_as_it_is),
		cmocka_unit_test(the_copy_goes_on_behind_the_first_instruction),
		cmocka_unit_test(threads_meet_the_old_function_or_the_new),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

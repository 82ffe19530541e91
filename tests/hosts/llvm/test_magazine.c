/*
 * test_magazine.c - freed blocks are allocated again: sizes, limits, double
 * frees
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "malloc/libc_heap.h"
#include "malloc/magazine.h"

static int open_one(void **state)
{
	(void)state;
	unsetenv("MALLOC_PERTURB_");
	unsetenv("GLIBC_TUNABLES");
	return magazine_open() ? 0 : -1;
}

static int close_one(void **state)
{
	(void)state;
	magazine_close();
	return magazine_own.bytes == 0 ? 0 : -1;
}

static void sizes_are_those_of_libc(void **state)
{
	(void)state;
	for (size_t n = 0; n <= 2 * MAGAZINE_MOST; n++) {
		void *p = __libc_malloc(n);
		size_t size = magazine_size_of(p);

		if (n <= MAGAZINE_MOST) {
			/* The remainder may be too small for a block. */
			assert_in_range(size, magazine_size(n),
					magazine_size(n) + 1);
			assert_true(magazine_usable(magazine_size(n)) >= n);
		}
		if (size < MAGAZINE_SIZES)
			assert_int_equal(magazine_usable(size),
					 libc_heap_usable(p));
		else
			assert_true(libc_heap_usable(p) > MAGAZINE_MOST);
		__libc_free(p);
	}
	assert_int_equal(magazine_size(MAGAZINE_MOST), MAGAZINE_SIZES - 1);
}

static void what_was_freed_comes_back_last_first(void **state)
{
	void *p = __libc_malloc(100), *q = __libc_malloc(100);

	(void)state;
	assert_null(magazine_take(100));
	assert_true(magazine_put(p));
	assert_true(magazine_put(q));
	assert_int_equal(magazine_own.bytes, 2 * libc_heap_usable(p));
	assert_null(magazine_take(80));
	assert_ptr_equal(magazine_take(libc_heap_usable(p)), q);
	assert_ptr_equal(magazine_take(90), p);
	assert_null(magazine_take(100));
	assert_int_equal(magazine_own.bytes, 0);
	__libc_free(p);
	__libc_free(q);
}

/* A write past the end of a block must not yield a usable address. */
static void its_links_are_no_addresses(void **state)
{
	struct magazine_block *p = __libc_malloc(100), *q = __libc_malloc(100);

	(void)state;
	magazine_put(p);
	magazine_put(q);
	assert_true(q->next != (uintptr_t)p);
	assert_true(p->next != 0);
	assert_ptr_equal(magazine_next(q), p);
	assert_null(magazine_next(p));
}

static void large_and_mapped_blocks_are_left_to_libc(void **state)
{
	void *large = __libc_malloc(MAGAZINE_MOST + 1);
	void *mapped = __libc_malloc(1 << 20);

	(void)state;
	assert_false(magazine_put(large));
	assert_false(magazine_put(mapped));
	assert_null(magazine_take(MAGAZINE_MOST + 1));
	assert_null(magazine_take(SIZE_MAX));
	__libc_free(large);
	__libc_free(mapped);
}

static void it_holds_no_more_than_its_limit(void **state)
{
	enum { BLOCKS = 4000 };
	static void *block[BLOCKS];

	(void)state;
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < BLOCKS; i++)
			block[i] = __libc_malloc(1 + i * 37 % MAGAZINE_MOST);
		for (unsigned i = 0; i < BLOCKS; i++) {
			assert_true(magazine_put(block[i]));
			assert_true(magazine_own.bytes <= MAGAZINE_BYTES);
		}
		assert_true(magazine_own.bytes > MAGAZINE_BYTES / 4);
	}
}

/* Blocks of a size that is not allocated any more leave in the end. */
static void all_sizes_go_in_turn(void **state)
{
	void *small = __libc_malloc(10);
	unsigned n = 0;

	(void)state;
	magazine_put(small);
	while (magazine_own.first[0] && n++ < 100000)
		magazine_put(__libc_malloc(1000));
	assert_null(magazine_own.first[0]);
}

static void blocks_are_made_larger_and_smaller(void **state)
{
	char *small = __libc_malloc(24), *large = __libc_malloc(500);
	size_t room = libc_heap_usable(large);

	(void)state;
	memset(small, 's', 24);
	memset(large, 'l', room);
	assert_ptr_equal(magazine_resize(small, 10), small);
	assert_null(magazine_resize(small, 500));
	assert_true(magazine_put(large));
	assert_ptr_equal(magazine_resize(small, 490), large);
	assert_memory_equal(large, "ssssssssssssssssssssssss", 24);
	large[24] = 'l';
	assert_ptr_equal(magazine_resize(large, 20), small);
	assert_memory_equal(small, "ssssssssssssssssssssssss", 24);
	assert_int_equal(magazine_own.bytes, room);
	/* libc handles these. */
	assert_null(magazine_resize(small, 0));
	assert_null(magazine_resize(small, MAGAZINE_MOST + 1));
	__libc_free(small);
}

static void *in_thread(void *arg)
{
	assert_false(magazine_put(arg));
	assert_null(magazine_take(10));
	assert_null(magazine_resize(arg, 20));
	return NULL;
}

static void another_thread_has_libcs(void **state)
{
	void *p = __libc_malloc(10), *q = __libc_malloc(10);
	pthread_t t;

	(void)state;
	magazine_put(q);
	assert_int_equal(pthread_create(&t, NULL, in_thread, p), 0);
	pthread_join(t, NULL);
	__libc_free(p);
}

static void *with_own(void *opened)
{
	enum { BLOCKS = 1000 };
	static void *block[BLOCKS];
	bool *ok = opened;

	*ok = magazine_open_other();
	for (unsigned i = 0; *ok && i < BLOCKS; i++)
		block[i] = __libc_malloc(300);
	for (unsigned i = 0; *ok && i < BLOCKS; i++)
		*ok = magazine_put(block[i]) &&
		      magazine_own.bytes <= MAGAZINE_OTHERS_BYTES;
	if (*ok) {
		void *p = magazine_take(300);

		*ok = p != NULL;
		__libc_free(p);
	}
	magazine_close();
	*ok = *ok && magazine_own.bytes == 0 && !magazine_take(300) &&
	      !magazine_put(block[0]);
	return NULL;
}

static bool can_open_other(void)
{
	pthread_t t;
	bool ok = false;

	assert_int_equal(pthread_create(&t, NULL, with_own, &ok), 0);
	pthread_join(t, NULL);
	return ok;
}

static void another_thread_may_have_a_small_one(void **state)
{
	(void)state;
	assert_true(can_open_other());
	magazine_forbid();
	assert_false(can_open_other());
	magazine_close();
	setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=3", 1);
	assert_false(magazine_open());
	unsetenv("GLIBC_TUNABLES");
	assert_false(can_open_other());
	assert_true(magazine_open());
	assert_true(can_open_other());
}

static void it_stays_closed_when_libc_is_told_how(void **state)
{
	(void)state;
	magazine_close();
	setenv("MALLOC_PERTURB_", "7", 1);
	assert_false(magazine_open());
	unsetenv("MALLOC_PERTURB_");
	setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=3", 1);
	assert_false(magazine_open());
	assert_false(magazine_put(NULL));
	unsetenv("GLIBC_TUNABLES");
	assert_true(magazine_open());
}

static void free_twice(unsigned between)
{
	char *p = __libc_malloc(60);

	magazine_put(p);
	for (unsigned i = 0; i < between; i++)
		magazine_put(__libc_malloc(60));
	magazine_put(p);
}

static void what_is_freed_twice_ends_the_program(void **state)
{
	static const unsigned between[] = { 0, 1, 30 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			signal(SIGABRT, SIG_DFL);
			close(STDERR_FILENO);
			free_twice(between[i]);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
	}
}

/* A block's contents may equal the mark by chance. */
static void the_mark_alone_proves_nothing(void **state)
{
	uintptr_t *p = __libc_malloc(60), *q = __libc_malloc(60);

	(void)state;
	magazine_put(q);
	p[1] = magazine_own.mark;
	assert_true(magazine_put(p));
	assert_ptr_equal(magazine_take(60), p);
	assert_true(p[1] != magazine_own.mark);
	__libc_free(p);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_one, close_one)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(sizes_are_those_of_libc),
		CASE(what_was_freed_comes_back_last_first),
		CASE(its_links_are_no_addresses),
		CASE(large_and_mapped_blocks_are_left_to_libc),
		CASE(it_holds_no_more_than_its_limit),
		CASE(all_sizes_go_in_turn),
		CASE(blocks_are_made_larger_and_smaller),
		CASE(another_thread_has_libcs),
		CASE(another_thread_may_have_a_small_one),
		CASE(it_stays_closed_when_libc_is_told_how),
		CASE(what_is_freed_twice_ends_the_program),
		CASE(the_mark_alone_proves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

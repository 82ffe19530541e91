/*
 * test_mem.c - libcof's memory: zeroed, aligned, counted
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/flow.h"
#include "cof.h"
#include "memory/mem.h"

/*
 * Sanitizers, if linked, are to return NULL for what cannot be allocated, as
 * without them, and not to miss the parent's threads in a child.
 */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void)
{
	return "allocator_may_return_null=1:report_thread_leaks=0";
}

static struct cof_flow_memory flow, other;

static int setup(void **state)
{
	(void)state;
	memset(&flow, 0, sizeof(flow));
	memset(&other, 0, sizeof(other));
	cof_mem_account(&flow);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cof_mem_account(NULL);
	return 0;
}

static bool all_zero(const char *p, size_t from, size_t to)
{
	for (; from < to; from++)
		if (p[from] != 0)
			return false;
	return true;
}

static const size_t sizes[] = {
	0, 1, 8, 24, 63, 64, 65, 100, 127, 128, 4095, 4096, 70000, 300000,
};
#define N_SIZES (sizeof(sizes) / sizeof(sizes[0]))

static void a_block_is_zero_and_aligned(void **state)
{
	(void)state;
	/* Twice, so that the second round gets used memory. */
	for (size_t i = 0; i < 2 * N_SIZES; i++) {
		size_t n = sizes[i % N_SIZES];
		char *p = cof_mem_alloc(n);

		assert_non_null(p);
		assert_true(all_zero(p, 0, n));
		if (n >= COF_CACHELINE)
			assert_int_equal((uintptr_t)p % COF_CACHELINE, 0);
		memset(p, 0xff, n);
		cof_mem_free(p);
	}
}

static void growing_keeps_what_was_and_zeroes_the_rest(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SIZES; i++) {
		for (size_t k = 0; k < N_SIZES; k++) {
			size_t from = sizes[i], to = sizes[k];
			size_t both = from < to ? from : to;
			char *p = cof_mem_alloc(from);

			assert_non_null(p);
			memset(p, 0x5a, from);
			p = cof_mem_realloc(p, to);
			assert_non_null(p);
			for (size_t j = 0; j < both; j++)
				assert_int_equal(p[j], 0x5a);
			assert_true(all_zero(p, both, to));
			if (to >= COF_CACHELINE)
				assert_int_equal((uintptr_t)p % COF_CACHELINE,
						 0);
			cof_mem_free(p);
		}
	}
}

static void what_was_cut_off_comes_back_as_zero(void **state)
{
	char *p;

	(void)state;
	for (size_t n = 1; n < 400; n += 3) {
		p = cof_mem_alloc(n);
		memset(p, 0xff, n);
		for (size_t less = n; less > 0; less = less * 3 / 4) {
			p = cof_mem_realloc(p, less);
			assert_non_null(p);
			p = cof_mem_realloc(p, n);
			assert_non_null(p);
			assert_true(all_zero(p, less, n));
			memset(p, 0xff, n);
		}
		cof_mem_free(p);
	}
}

static void a_realloc_of_nothing_is_an_alloc(void **state)
{
	char *p = cof_mem_realloc(NULL, 100);

	(void)state;
	assert_non_null(p);
	assert_true(all_zero(p, 0, 100));
	cof_mem_free(p);
	cof_mem_free(NULL);
}

static void an_impossible_size_is_refused_and_changes_nothing(void **state)
{
	char *p = cof_mem_alloc(10);
	uint64_t bytes = cof_count_get(&flow.own_bytes);

	(void)state;
	assert_non_null(p);
	p[0] = 'x';
	assert_null(cof_mem_alloc(SIZE_MAX));
	assert_null(cof_mem_alloc((size_t)PTRDIFF_MAX - 100));
	assert_null(cof_mem_realloc(p, SIZE_MAX - 63));
	assert_null(cof_mem_realloc(p, (size_t)PTRDIFF_MAX - 100));
	assert_int_equal(p[0], 'x');
	assert_int_equal(cof_count_get(&flow.own_bytes), bytes);
	cof_mem_free(p);
}

static void a_copied_string_is_the_same_string(void **state)
{
	char *p = cof_mem_strdup("hello");

	(void)state;
	assert_string_equal(p, "hello");
	cof_mem_free(p);
}

static void bytes_and_blocks_are_counted_and_counted_off(void **state)
{
	uint64_t bytes = cof_count_get(&flow.own_bytes);
	uint64_t blocks = cof_count_get(&flow.own_blocks);
	void *a = cof_mem_alloc(1000), *b = cof_mem_alloc(10);

	(void)state;
	assert_int_equal(cof_count_get(&flow.own_blocks), blocks + 2);
	assert_in_range(cof_count_get(&flow.own_bytes), bytes + 1010,
			bytes + 2000);
	a = cof_mem_realloc(a, 50000);
	assert_int_equal(cof_count_get(&flow.own_blocks), blocks + 2);
	assert_in_range(cof_count_get(&flow.own_bytes), bytes + 50010,
			bytes + 80000);
	cof_mem_free(a);
	cof_mem_free(b);
	assert_int_equal(cof_count_get(&flow.own_blocks), blocks);
	assert_int_equal(cof_count_get(&flow.own_bytes), bytes);
}

static void what_was_there_before_an_account_is_shown_in_it(void **state)
{
	void *p = cof_mem_alloc(5000);

	(void)state;
	cof_mem_account(&other);
	assert_int_equal(cof_count_get(&other.own_bytes),
			 cof_count_get(&flow.own_bytes));
	assert_true(cof_count_get(&other.own_bytes) >= 5000);
	cof_mem_free(p);
	assert_int_equal(cof_count_get(&other.own_bytes),
			 cof_count_get(&flow.own_bytes));
}

static void a_closed_account_is_not_written_to(void **state)
{
	uint64_t then;
	void *p;

	(void)state;
	cof_mem_account(&other);
	cof_mem_unaccount(&other);
	then = cof_count_get(&other.own_blocks);
	p = cof_mem_alloc(100);
	assert_int_equal(cof_count_get(&other.own_blocks), then);
	assert_int_equal(cof_count_get(&flow.own_blocks), then + 1);
	cof_mem_account(NULL);
	cof_mem_free(p);
	assert_int_equal(cof_count_get(&flow.own_blocks), then + 1);
}

static void *churn(void *arg)
{
	(void)arg;
	for (size_t i = 0; i < 3000; i++) {
		void *p = cof_mem_alloc(i % 300);

		p = cof_mem_realloc(p, (i * 7) % 500);
		cof_mem_free(p);
	}
	return NULL;
}

static void threads_lose_no_count(void **state)
{
	uint64_t bytes = cof_count_get(&flow.own_bytes);
	uint64_t blocks = cof_count_get(&flow.own_blocks);
	pthread_t t[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&t[i], NULL, churn, NULL), 0);
	for (int i = 0; i < 100; i++) {		/* accounts come and go */
		cof_mem_account(&other);
		cof_mem_unaccount(&other);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert_int_equal(cof_count_get(&flow.own_bytes), bytes);
	assert_int_equal(cof_count_get(&flow.own_blocks), blocks);
}

static void a_child_forked_at_any_moment_can_allocate(void **state)
{
	pthread_t t;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, churn, NULL), 0);
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			alarm(120);	/* a deadlock fails */
			cof_mem_account(&other);
			cof_mem_unaccount(&other);
			_exit(cof_count_get(&other.own_blocks) < 100 ? 0 : 1);
		}
		assert_true(pid > 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	pthread_join(t, NULL);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_block_is_zero_and_aligned),
		T(growing_keeps_what_was_and_zeroes_the_rest),
		T(what_was_cut_off_comes_back_as_zero),
		T(a_realloc_of_nothing_is_an_alloc),
		T(an_impossible_size_is_refused_and_changes_nothing),
		T(a_copied_string_is_the_same_string),
		T(bytes_and_blocks_are_counted_and_counted_off),
		T(what_was_there_before_an_account_is_shown_in_it),
		T(a_closed_account_is_not_written_to),
		T(threads_lose_no_count),
		T(a_child_forked_at_any_moment_can_allocate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

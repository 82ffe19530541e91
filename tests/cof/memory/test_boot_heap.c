/*
 * test_boot_heap.c - the first blocks, and what becomes of a full heap
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/flow.h"
#include "memory/arena.h"
#include "memory/boot_heap.h"
#include "memory/mem.h"

#define MANY 600

static bool is_zero(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != 0)
			return false;
	return true;
}

static void blocks_have_the_size_and_are_zero(void **state)
{
	void *p[MANY];

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		size_t size;

		p[i] = cof_boot_heap_alloc(i * 3, 1);
		assert_non_null(p[i]);
		size = cof_boot_heap_size(p[i]);
		assert_true(size >= i * 3 && size <= 64 + i * 4);
		assert_true(cof_boot_heap_holds(p[i]));
		assert_true(cof_arena_holds(p[i]));
		assert_true(is_zero(p[i], size));
		memset(p[i], 0xa5, size);
	}
	for (size_t i = 0; i < MANY; i++) {
		unsigned char *at = p[i];

		assert_int_equal(at[0], 0xa5);
		assert_int_equal(at[cof_boot_heap_size(at) - 1], 0xa5);
		cof_boot_heap_free(p[i]);
	}
}

static void a_freed_block_serves_its_size_again(void **state)
{
	char *a = cof_boot_heap_alloc(1000, 1), *b;

	(void)state;
	memset(a, 1, 1000);
	cof_boot_heap_free(a);
	b = cof_boot_heap_alloc(990, 1);
	assert_ptr_equal(a, b);
	assert_true(is_zero(b, cof_boot_heap_size(b)));
	cof_boot_heap_free(b);
}

static void alignments_are_kept(void **state)
{
	(void)state;
	for (size_t to = 1; to <= 8192; to *= 2)
		for (int i = 0; i < 3; i++)
			assert_int_equal((uintptr_t)cof_boot_heap_alloc(70, to)
					 % to, 0);
}

static void a_block_grows_and_shrinks(void **state)
{
	unsigned char *p = cof_mem_alloc(100);

	(void)state;
	assert_true(cof_boot_heap_holds(p));
	memset(p, 7, 100);
	p = cof_mem_realloc(p, 5000);
	assert_int_equal(p[99], 7);
	assert_true(is_zero((char *)p + 100, 4900));
	p = cof_mem_realloc(p, 10);
	assert_int_equal(p[9], 7);
	p = cof_mem_realloc(p, 200);
	assert_true(is_zero((char *)p + 10, 190));
	cof_mem_free(p);
}

static void *churn(void *arg)
{
	unsigned seed = (unsigned)(uintptr_t)arg;
	unsigned char *p[40] = { 0 };

	for (int i = 0; i < 20000; i++) {
		unsigned at = (unsigned)rand_r(&seed) % 40;
		size_t n = 1 + (unsigned)rand_r(&seed) % 700;

		if (p[at] != NULL) {
			assert_int_equal(p[at][0], at);
			cof_mem_free(p[at]);
		}
		p[at] = cof_mem_alloc(n);
		assert_true(is_zero((char *)p[at], n));
		memset(p[at], (int)at, n);
	}
	for (unsigned at = 0; at < 40; at++)
		cof_mem_free(p[at]);
	return NULL;
}

static void threads_share_it(void **state)
{
	pthread_t thread[3];

	(void)state;
	for (uintptr_t i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, churn,
						(void *)(i + 1)), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

/* What is too large, or too much, is where libcof's memory is else. */
static void what_has_no_room_is_elsewhere(void **state)
{
	struct cof_flow_memory flow = { 0 };
	void *p[64];
	int n = 0;

	(void)state;
	cof_mem_account(&flow);
	p[n] = cof_mem_alloc(COF_BOOT_HEAP_BYTES);
	assert_false(cof_boot_heap_holds(p[n++]));
	do {
		p[n] = cof_mem_alloc(100000);
		assert_true(is_zero(p[n], 100000));
	} while (cof_boot_heap_holds(p[n++]) && n < 64);
	assert_true(n > 5 && n < 64);
	p[n - 1] = cof_mem_realloc(p[n - 1], 300000);
	p[0] = cof_mem_realloc(p[0], 50);
	assert_true(is_zero(p[0], 50));
	while (n > 0)
		cof_mem_free(p[--n]);
	cof_mem_unaccount(&flow);
	assert_int_equal(atomic_load(&flow.own_bytes), 0);
	assert_int_equal(atomic_load(&flow.own_blocks), 0);
	assert_null(cof_boot_heap_alloc(SIZE_MAX, 1));
	assert_null(cof_boot_heap_alloc(1, SIZE_MAX / 2 + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_have_the_size_and_are_zero),
		cmocka_unit_test(a_freed_block_serves_its_size_again),
		cmocka_unit_test(alignments_are_kept),
		cmocka_unit_test(a_block_grows_and_shrinks),
		cmocka_unit_test(threads_share_it),
		cmocka_unit_test(what_has_no_room_is_elsewhere),
	};

	if (cof_boot_heap_alloc(1, 1) != NULL || !cof_boot_heap_open())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

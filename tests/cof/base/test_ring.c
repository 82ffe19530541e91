/*
 * test_ring.c - records go through whole, in order, or not at all
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>

#include "base/ring.h"

#define WORDS 16u

static void an_empty_ring_has_no_record(void **state)
{
	struct cof_ring r;
	uint64_t word[WORDS], out;

	(void)state;
	cof_ring_init(&r, word, WORDS);
	assert_int_equal(cof_ring_pop(&r, &out, 1), 0);
}

static void records_come_out_in_order_across_the_end(void **state)
{
	struct cof_ring r;
	uint64_t word[WORDS], out[3];

	(void)state;
	cof_ring_init(&r, word, WORDS);
	for (uint64_t i = 0; i < 100; i++) {
		uint64_t n = 1 + i % 3, rec[3] = { i, i + 1, i + 2 };

		assert_int_equal(cof_ring_push(&r, rec, n), 1);
		assert_int_equal(cof_ring_push(&r, rec, n), 1);
		for (int k = 0; k < 2; k++) {
			assert_int_equal(cof_ring_pop(&r, out, 3), n);
			for (uint64_t j = 0; j < n; j++)
				assert_int_equal(out[j], i + j);
		}
	}
}

static void a_full_ring_refuses_the_record_whole(void **state)
{
	struct cof_ring r;
	uint64_t word[WORDS], out[3] = { 0 }, rec[3] = { 1, 2, 3 };
	int pushed = 0;

	(void)state;
	cof_ring_init(&r, word, WORDS);
	while (cof_ring_push(&r, rec, 3))
		pushed++;
	assert_int_equal(pushed, 4);	/* 4 words each, with the length */
	assert_int_equal(cof_ring_pop(&r, out, 3), 3);
	/* One word too long, and what is there is not damaged. */
	assert_int_equal(cof_ring_push(&r, rec, 2), 1);
	assert_int_equal(cof_ring_push(&r, rec, 1), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(cof_ring_pop(&r, out, 3), 3);
		assert_int_equal(out[2], 3);
	}
	assert_int_equal(cof_ring_pop(&r, out, 3), 2);
	assert_int_equal(cof_ring_pop(&r, out, 3), 0);
}

static void a_long_record_is_cut_but_taken_off_whole(void **state)
{
	struct cof_ring r;
	uint64_t word[WORDS], out[2] = { 0, 77 }, rec[5] = { 1, 2, 3, 4, 5 };

	(void)state;
	cof_ring_init(&r, word, WORDS);
	assert_int_equal(cof_ring_push(&r, rec, 5), 1);
	assert_int_equal(cof_ring_push(&r, rec, 1), 1);
	assert_int_equal(cof_ring_pop(&r, out, 1), 5);
	assert_int_equal(out[0], 1);
	assert_int_equal(out[1], 77);
	assert_int_equal(cof_ring_pop(&r, out, 1), 1);
}

#define RECORDS 200000u

static void *producer(void *arg)
{
	struct cof_ring *r = arg;

	for (uint64_t i = 0; i < RECORDS; i++) {
		uint64_t rec[3] = { i, ~i, i * 3 };

		while (!cof_ring_push(r, rec, 1 + i % 3))
			sched_yield();
	}
	return NULL;
}

static void two_threads_lose_and_tear_nothing(void **state)
{
	static uint64_t word[64];
	struct cof_ring r;
	pthread_t thread;
	uint64_t rec[3], n, bad = 0;

	(void)state;
	cof_ring_init(&r, word, 64);
	assert_int_equal(pthread_create(&thread, NULL, producer, &r), 0);
	for (uint64_t i = 0; i < RECORDS;) {
		n = cof_ring_pop(&r, rec, 3);
		if (n == 0) {
			sched_yield();
			continue;
		}
		bad += n != 1 + i % 3 || rec[0] != i ||
		       (n > 1 && rec[1] != ~i) || (n > 2 && rec[2] != i * 3);
		i++;
	}
	pthread_join(thread, NULL);
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_ring_has_no_record),
		cmocka_unit_test(records_come_out_in_order_across_the_end),
		cmocka_unit_test(a_full_ring_refuses_the_record_whole),
		cmocka_unit_test(a_long_record_is_cut_but_taken_off_whole),
		cmocka_unit_test(two_threads_lose_and_tear_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

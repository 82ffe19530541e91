/*
 * test_queue.c - the most urgent build comes first, equals in turn
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "optimizer/build/queue.h"

#define N 500

static struct cof_build build[N];
static struct cof_queue queue;

static int setup(void **state)
{
	(void)state;
	queue = (struct cof_queue){ 0 };
	for (int i = 0; i < N; i++)
		build[i] = (struct cof_build){ 0 };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cof_queue_free(&queue);
	return 0;
}

static void an_empty_queue_gives_nothing(void **state)
{
	(void)state;
	assert_null(cof_queue_take(&queue));
}

static void equals_come_in_the_order_they_went_in(void **state)
{
	(void)state;
	for (int i = 0; i < N; i++)
		assert_int_equal(cof_queue_put(&queue, &build[i]), 0);
	for (int i = 0; i < N; i++)
		assert_ptr_equal(cof_queue_take(&queue), &build[i]);
	assert_null(cof_queue_take(&queue));
}

static void the_most_urgent_comes_first_whatever_went_in_between(void **state)
{
	unsigned seed = 1, out = 0;

	(void)state;
	for (int i = 0; i < N; i++) {
		seed = seed * 1103515245 + 12345;
		build[i].urgency = seed >> 16 & 63;	/* with equals */
		assert_int_equal(cof_queue_put(&queue, &build[i]), 0);
		if (i % 3)
			continue;
		/* Take one: nothing that waits may be before it. */
		struct cof_build *b = cof_queue_take(&queue);

		assert_non_null(b);
		out++;
		for (uint32_t j = 0; j < queue.n; j++) {
			const struct cof_build *w = queue.heap[j];

			assert_false(w->urgency > b->urgency);
			assert_false(w->urgency == b->urgency &&
				     w->ticket < b->ticket);
		}
	}
	const struct cof_build *last = cof_queue_take(&queue);

	for (struct cof_build *b; (b = cof_queue_take(&queue));
	     last = b, out++) {
		assert_true(b->urgency <= last->urgency);
		assert_true(b->urgency < last->urgency ||
			    b->ticket > last->ticket);
	}
	assert_int_equal(out + 1, N);
}

static void a_short_one_is_found_behind_long_ones(void **state)
{
	static const uint64_t ns[] = { 900, 10, 800, 20, 700, 30, 5 };

	(void)state;
	for (int i = 0; i < 7; i++) {
		build[i].urgency = 10 - i;
		build[i].expected_ns = ns[i];
		assert_int_equal(cof_queue_put(&queue, &build[i]), 0);
	}
	assert_null(cof_queue_take_short(&queue, 4));
	assert_ptr_equal(cof_queue_take_short(&queue, 25), &build[1]);
	assert_ptr_equal(cof_queue_take_short(&queue, 10), &build[6]);
	assert_ptr_equal(cof_queue_take_short(&queue, 25), &build[3]);
	assert_null(cof_queue_take_short(&queue, 25));
	assert_ptr_equal(cof_queue_take(&queue), &build[0]);
	assert_ptr_equal(cof_queue_take(&queue), &build[2]);
	assert_ptr_equal(cof_queue_take(&queue), &build[4]);
	assert_ptr_equal(cof_queue_take(&queue), &build[5]);
}

static void what_was_taken_out_of_the_middle_leaves_the_order(void **state)
{
	unsigned seed = 7, out = 0;

	(void)state;
	for (int i = 0; i < N; i++) {
		seed = seed * 1103515245 + 12345;
		build[i].urgency = seed >> 16 & 1023;
		build[i].expected_ns = seed >> 8 & 255;
		assert_int_equal(cof_queue_put(&queue, &build[i]), 0);
	}
	while (queue.n > 0) {
		struct cof_build *b = out % 2 ? cof_queue_take(&queue) :
				      cof_queue_take_short(&queue, 128);

		for (uint32_t i = 1; i < queue.n; i++)
			assert_true(queue.heap[(i - 1) / 2]->urgency >=
				    queue.heap[i]->urgency);
		for (uint32_t i = 0; b && i < queue.n; i++)
			assert_true(queue.heap[i]->urgency <= b->urgency ||
				    (!(out % 2) &&
				     queue.heap[i]->expected_ns > 128));
		if (b)
			out++;
		else
			out |= 1;	/* only long ones are left */
	}
	assert_true(out >= N);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			an_empty_queue_gives_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(
			equals_come_in_the_order_they_went_in, setup, teardown),
		cmocka_unit_test_setup_teardown(
			the_most_urgent_comes_first_whatever_went_in_between,
			setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_short_one_is_found_behind_long_ones, setup,
			teardown),
		cmocka_unit_test_setup_teardown(
			what_was_taken_out_of_the_middle_leaves_the_order,
			setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

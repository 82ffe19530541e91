/*
 * test_osr_points.c - which loops are running: whoever passes an armed point
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>

#include "link/osr_points.h"

#define TEST    0xa9
#define JMP     0xe9
#define MOST_MS 600000	/* only if no thread comes */

enum { OUTER, INNER, LOOPS };

static unsigned char code[LOOPS];
static struct cofl_osr_points *points;
static uint64_t arrived[LOOPS];
static int stop;

static int setup(void **state)
{
	(void)state;
	points = cofl_osr_points_new(LOOPS, NULL);
	points->point = calloc(LOOPS, sizeof(*points->point));
	points->n = LOOPS;
	for (uint32_t k = 0; k < LOOPS; k++) {
		code[k] = TEST;
		points->point[k] = (struct cofl_point){ &code[k], k };
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cofl_osr_points_free(points);
	return 0;
}

static bool is_armed(int loop)
{
	return __atomic_load_n(&code[loop], __ATOMIC_ACQUIRE) == JMP;
}

/* What a thread does that passes the point. */
static void pass(int loop)
{
	if (is_armed(loop))
		atomic_fetch_add(&points->word[loop].arrived, 1);
}

static void *goes_round(void *arg)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		pass(*(int *)arg);
	return NULL;
}

/* Nobody passes; the points stay armed. */
static void listen_in_vain(void)
{
	assert_false(cofl_osr_points_listen(points, 1, &stop, arrived));
	assert_true(is_armed(OUTER));
	assert_true(is_armed(INNER));
}

/* A slot has what the latest frame in it stored. */
static void turns_of_all_frames_are_added_up(void **state)
{
	(void)state;
	assert_int_equal(cofl_osr_points_turns(points), 0);
	assert_true(cofl_osr_points_count(points));
	assert_int_equal(cofl_osr_points_turns(points), 0);
	for (uint32_t i = 0; i < COFL_OSR_TURN_SLOTS; i++)
		atomic_store(&points->turns->slot[i].n, i + 1);
	assert_int_equal(cofl_osr_points_turns(points),
			 COFL_OSR_TURN_SLOTS * (COFL_OSR_TURN_SLOTS + 1) / 2);
}

static void a_loop_that_goes_round_is_found(void **state)
{
	int loop = INNER;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, goes_round, &loop), 0);
	assert_true(cofl_osr_points_listen(points, MOST_MS, &stop, arrived));
	assert_true(arrived[INNER] > 0);
	assert_int_equal(arrived[OUTER], 0);
	assert_false(is_armed(OUTER));
	assert_false(is_armed(INNER));
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	stop = 0;
}

static void one_that_comes_round_later_is_found_then(void **state)
{
	(void)state;
	listen_in_vain();
	/* Again in vain, and without a wait. */
	assert_false(cofl_osr_points_listen(points, MOST_MS, &stop, arrived));
	pass(OUTER);
	assert_true(cofl_osr_points_listen(points, MOST_MS, &stop, arrived));
	assert_int_equal(arrived[OUTER], 1);
	assert_false(is_armed(OUTER));
	assert_false(is_armed(INNER));
}

static void what_was_counted_before_is_forgotten(void **state)
{
	(void)state;
	listen_in_vain();
	pass(OUTER);
	cofl_osr_points_disarm(points);
	assert_false(is_armed(OUTER));
	listen_in_vain();
}

/* Frames that another way led out of one loop leave the others at rest. */
static void who_leads_looks_out_no_more(void **state)
{
	void *entry[LOOPS] = { [INNER] = code };

	(void)state;
	listen_in_vain();
	cofl_osr_points_lead(points, entry);
	assert_true(is_armed(INNER));
	assert_false(is_armed(OUTER));
	/* That one is not listened to: it leads somewhere. */
	assert_false(cofl_osr_points_listen(points, 1, &stop, arrived));
	assert_true(is_armed(INNER));
	cofl_osr_points_disarm(points);
	assert_false(is_armed(INNER));
	assert_false(is_armed(OUTER));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(turns_of_all_frames_are_added_up),
		T(a_loop_that_goes_round_is_found),
		T(one_that_comes_round_later_is_found_then),
		T(what_was_counted_before_is_forgotten),
		T(who_leads_looks_out_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

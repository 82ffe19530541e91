/*
 * test_just_compiled.c - methods just compiled come out once each, in turn
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>

#include "optimizer/instrumented/just_compiled.h"

#define THREADS 4
#define EACH    20000

static struct cof_just_compiled queue;
static struct cof_method *method;	/* THREADS * EACH */
static _Atomic int running;

static void an_empty_one_gives_nothing(void **state)
{
	(void)state;
	assert_null(cof_just_compiled_take(&queue));
}

static void the_oldest_comes_first(void **state)
{
	static struct cof_method m[3];
	struct cof_method *got;

	(void)state;
	for (int i = 0; i < 3; i++)
		cof_just_compiled_put(&queue, &m[i]);
	got = cof_just_compiled_take(&queue);
	for (int i = 0; i < 3; i++) {
		assert_ptr_equal(got, &m[i]);
		got = cof_just_compiled_next(got);
	}
	assert_null(got);
	assert_null(cof_just_compiled_take(&queue));
}

static void one_in_the_list_is_put_in_once(void **state)
{
	static struct cof_method m;

	(void)state;
	for (int life = 0; life < 2; life++) {
		cof_just_compiled_put(&queue, &m);
		cof_just_compiled_put(&queue, &m);
		assert_ptr_equal(cof_just_compiled_take(&queue), &m);
		assert_null(cof_just_compiled_next(&m));
	}
}

static void *put_all(void *arg)
{
	struct cof_method *first = arg;

	for (int i = 0; i < EACH; i++)
		cof_just_compiled_put(&queue, &first[i]);
	running--;
	return NULL;
}

static void many_producers_lose_nothing(void **state)
{
	pthread_t thread[THREADS];
	uint32_t taken = 0, ended = 0;

	(void)state;
	method = calloc(THREADS * EACH, sizeof(*method));
	assert_non_null(method);
	running = THREADS;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, put_all,
						method + i * EACH), 0);
	while (!ended) {
		ended = running == 0;	/* then one more look */
		for (struct cof_method *m = cof_just_compiled_take(&queue); m;
		     m = cof_just_compiled_next(m)) {
			assert_int_equal(m->build.tried, 0);
			m->build.tried = 1;
			taken++;
		}
	}
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	assert_int_equal(taken, THREADS * EACH);
	free(method);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_one_gives_nothing),
		cmocka_unit_test(the_oldest_comes_first),
		cmocka_unit_test(one_in_the_list_is_put_in_once),
		cmocka_unit_test(many_producers_lose_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

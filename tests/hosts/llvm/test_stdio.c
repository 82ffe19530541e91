/*
 * test_stdio.c - a stream's lock is taken in programs of several threads only
 *
 * Another thread holds the stream's lock; a function that takes it waits.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "support/single_threaded.h"

static FILE *stream;
static sem_t held, let_go;

static void *hold(void *unused)
{
	flockfile(stream);
	sem_post(&held);
	sem_wait(&let_go);
	funlockfile(stream);
	return unused;
}

static int get(void) { return fgetc(stream); }
static int put(void) { return fputc('x', stream); }
static int at_end(void) { return feof(stream); }
static int has_failed(void) { return ferror(stream); }

static const struct {
	int (*call)(void);
	int   result;
} calls[] = { { put, 'x' }, { get, 'a' }, { at_end, 0 }, { has_failed, 0 } };

#define N_CALLS (sizeof(calls) / sizeof(*calls))

static pthread_t hold_stream(void)
{
	pthread_t holder;

	sem_init(&held, 0, 0);
	sem_init(&let_go, 0, 0);
	stream = tmpfile();
	assert_non_null(stream);
	assert_true(fputs("ababababab", stream) >= 0);
	rewind(stream);
	assert_int_equal(pthread_create(&holder, NULL, hold, NULL), 0);
	sem_wait(&held);
	return holder;
}

static void release(pthread_t holder)
{
	sem_post(&let_go);
	pthread_join(holder, NULL);
	fclose(stream);
}

static void one_thread_does_not_wait(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_CALLS; i++) {
		pthread_t holder = hold_stream();

		atomic_store(&single_threaded_word, 1);
		assert_int_equal(calls[i].call(), calls[i].result);
		release(holder);
	}
}

struct caller {
	size_t      call;
	atomic_int  result;	/* -2: not there yet */
};

static void *call_one(void *p)
{
	struct caller *c = p;

	atomic_store(&c->result, calls[c->call].call());
	return NULL;
}

static void more_threads_wait_for_the_lock(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_CALLS; i++) {
		pthread_t holder = hold_stream(), thread;
		struct caller c = { .call = i, .result = -2 };

		single_threaded_end();
		pthread_create(&thread, NULL, call_one, &c);
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
		assert_int_equal(atomic_load(&c.result), -2);
		sem_post(&let_go);
		pthread_join(thread, NULL);
		assert_int_equal(atomic_load(&c.result), calls[i].result);
		pthread_join(holder, NULL);
		fclose(stream);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_does_not_wait),
		cmocka_unit_test(more_threads_wait_for_the_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

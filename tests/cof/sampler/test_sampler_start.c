/*
 * test_sampler_start.c - SAM and a thread that was there before, as in a child
 *
 * pthread_create(3) is wrapped: it returns once the new thread is far enough,
 * or makes none.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "predictor/predictor.h"
#include "tests/support/bare_test.h"
#include "tests/support/timers.h"
#include "tests/support/valgrind.h"

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *arg);

static bool no_thread;
static sem_t has_begun;
static const struct cof_sampler *seen_by_sam;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *arg)
{
	int err = no_thread ? EAGAIN :
			      __real_pthread_create(thread, attr, run, arg);

	while (err == 0 && sem_wait(&has_begun) != 0)
		;
	return err;
}

/* SAM's thread calls it before all else. */
static int begin(struct cof *cof, uint64_t *until_cpu_ns)
{
	(void)until_cpu_ns;
	pthread_mutex_lock(&cof->threads->lock);
	seen_by_sam = cof->sampler;
	pthread_mutex_unlock(&cof->threads->lock);
	return 0;
}

static void begun(struct cof *cof)
{
	(void)cof;
	sem_post(&has_begun);
}

static const struct cof_sampler_hooks hooks = { .begin = begin,
						.begun = begun };

/* An instance whose loop is to begin at once, and this thread. */
static int setup(void **state)
{
	(void)state;
	no_thread = false;
	seen_by_sam = NULL;
	sem_init(&has_begun, 0, 0);
	if (bare_open(&b, "source=timer") != 0)
		return -1;
	b.cof.begins_cpu_ns = 1;
	return cof_thread_attach(&b.cof, NULL, NULL);
}

static int teardown(void **state)
{
	sem_destroy(&has_begun);
	return bare_teardown(state);
}

/* However soon the new thread runs. A timer that nobody deletes would end the
 * process once its signal has its default action again. */
static void a_thread_gets_one_timer(void **state)
{
	(void)state;
	skip_under_valgrind();	/* timers */
	assert_int_equal(cof_sampler_start(&b.cof, &hooks, NULL), 0);
	assert_non_null(b.cof.sampler);
	assert_ptr_equal(seen_by_sam, b.cof.sampler);
	assert_in_range(timers_of_process() + 1, 0, 2);
	cof_sampler_stop(&b.cof);
	assert_in_range(timers_of_process() + 1, 0, 1);
}

static void without_a_thread_nothing_is_left(void **state)
{
	char why[COF_WHY_BYTES] = "";

	(void)state;
	skip_under_valgrind();	/* timers */
	no_thread = true;
	b.cof.begins_cpu_ns = 0;
	assert_int_equal(cof_sampler_start(&b.cof, &hooks, why), -COF_E_NOMEM);
	assert_string_equal(why, "no thread for SAM");
	assert_null(b.cof.sampler);
	assert_null(b.cof.wake.sampler);
	assert_int_equal(b.cof.threads->poke_signal, 0);
	assert_in_range(timers_of_process() + 1, 0, 1);
	/* Another try. */
	no_thread = false;
	b.cof.begins_cpu_ns = 1;
	assert_int_equal(cof_sampler_start(&b.cof, &hooks, why), 0);
	assert_in_range(timers_of_process() + 1, 0, 2);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_thread_gets_one_timer),
		T(without_a_thread_nothing_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_handler.c - an instance ends while its signals still come
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "api/stepped.h"
#include "sampler/handler.h"
#include "tests/cof/process/raise.h"
#include "tests/support/balance.h"
#include "tests/support/bare_test.h"
#include "tests/support/ticking.h"

static struct cof *cof;

static void a_handler_that_comes_late_finds_no_instance(void **state)
{
	siginfo_t info = { .si_signo = SIGPROF, .si_code = SI_TIMER };
	ucontext_t uc = { 0 };

	(void)state;
	info.si_value.sival_ptr = &cof_process_signal_cookie[COF_COOKIE_SAMPLE];
	assert_int_equal(bare_open(&b, "source=none"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	cof_handler(SIGPROF, &info, &uc);
	assert_int_equal(cof_count_get(&cof_thread_self->taken), 1);
	cof_sampler_stop(&b.cof);
	assert_null(atomic_load(&cof_thread_self->live));
	cof_handler(SIGPROF, &info, &uc);
	assert_int_equal(cof_count_get(&cof_thread_self->taken), 1);
	assert_false(atomic_load(&cof_thread_self->busy));
	cof_thread_detach(&b.cof);

	/* A thread that attaches to a stopped instance finds none either. */
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_null(atomic_load(&cof_thread_self->live));
	cof_thread_detach(&b.cof);
	bare_close(&b);
}

static _Atomic int step;

/* A running handler ends once the stop has begun. */
static void *leave_handler(void *arg)
{
	struct cof_thread *t = arg;

	while (atomic_load(&t->live))
		sched_yield();
	atomic_store(&step, 1);
	atomic_store_explicit(&t->busy, false, memory_order_release);
	return NULL;
}

static void the_stop_waits_for_a_handler_under_way(void **state)
{
	pthread_t thread;

	(void)state;
	atomic_store(&step, 0);
	assert_int_equal(bare_open(&b, "source=none"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	atomic_store(&cof_thread_self->busy, true);
	assert_int_equal(pthread_create(&thread, NULL, leave_handler,
					cof_thread_self), 0);
	while (!cof_sampler_quiet(&b.cof))
		;
	assert_int_equal(atomic_load(&step), 1);
	cof_sampler_stop(&b.cof);
	pthread_join(thread, NULL);
	cof_thread_detach(&b.cof);
	bare_close(&b);
}

static void a_handler_that_does_not_end_keeps_the_instance(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test" };

	(void)state;
	ticking_begin(1000000000);	/* a second */
	assert_int_equal(cof_start_stepped(&host, "mode=co,stats=none,"
					   "source=none,history=none", NULL,
					   NULL, &cof), 0);
	assert_int_equal(cof_thread_attach(cof, NULL, NULL), 0);
	/* As after siglongjmp(3) out of the handler. */
	atomic_store(&cof_thread_self->busy, true);
	assert_false(cof_sampler_quiet(cof));
	cof_free(cof);
	assert_ptr_equal(cof_thread_self->cof, cof);	/* nothing is freed */
	assert_ptr_equal(cof->threads->list, cof_thread_self);
	atomic_store(&cof_thread_self->busy, false);
	cof_thread_detach(cof);
	cof_free(cof);
	cof = NULL;
	ticking_end();
}

#define THREADS   3	/* that never detach */
#define INSTANCES 30	/* instances that end meanwhile */

static _Atomic(struct cof *) instance;
static _Atomic uint64_t life, ready;
static _Atomic uint64_t failed;		/* threads that could not attach */
static _Atomic int tids[THREADS];
static _Atomic bool over;

static void *attach_each(void *arg)
{
	_Atomic int *tid = arg;
	uint64_t seen = 0, now;

	atomic_store(tid, (int)gettid());
	while (!atomic_load(&over)) {
		now = atomic_load(&life);
		if (now == seen)
			continue;
		seen = now;
		if (cof_thread_attach(atomic_load(&instance), NULL, NULL) != 0)
			atomic_fetch_add(&failed, 1);
		atomic_fetch_add(&ready, 1);
	}
	return NULL;
}

static void *raise_signals(void *arg)
{
	(void)arg;
	while (!atomic_load(&over)) {
		for (int i = 0; i < THREADS; i++)
			if (atomic_load(&tids[i]))
				raise_as_timer(atomic_load(&tids[i]), SIGPROF);
		sched_yield();
	}
	return NULL;
}

static void instances_end_while_signals_come(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test" };
	pthread_t thread[THREADS], raiser;

	(void)state;
	/* A signal between two instances must find a handler, too. */
	assert_int_equal(cof_process_signal_install(SIGPROF, cof_handler), 0);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, attach_each,
						&tids[i]), 0);
	assert_int_equal(pthread_create(&raiser, NULL, raise_signals, NULL), 0);
	for (uint64_t i = 1; i <= INSTANCES; i++) {
		assert_int_equal(cof_start(&host, "mode=co,stats=none,"
					   "source=none,signal=27", NULL,
					   &cof), 0);
		atomic_store(&instance, cof);
		atomic_store(&ready, 0);
		atomic_store(&life, i);
		while (atomic_load(&ready) < THREADS)
			sched_yield();
		wait_until(cof_count_get(&cof->flow->sampler.taken) > 0,
			   cof->flow);
		cof_free(cof);
		cof = NULL;
	}
	atomic_store(&over, true);
	pthread_join(raiser, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	cof_process_signal_remove(SIGPROF);
	assert_int_equal(atomic_load(&failed), 0);
}

/* Stops what a failed test left. Its threads run on, so nothing is freed. */
static int teardown(void **state)
{
	cof_stop(cof);
	cof = NULL;
	ticking_end();
	return bare_teardown(state);
}

#define T(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_handler_that_comes_late_finds_no_instance),
		T(the_stop_waits_for_a_handler_under_way),
		T(a_handler_that_does_not_end_keeps_the_instance),
		T(instances_end_while_signals_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

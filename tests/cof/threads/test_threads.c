/*
 * test_threads.c - guest threads attach, are sampled, and detach without loss
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/tsan.h"
#include "tests/support/balance.h"
#include "tests/support/bare_test.h"
#include "tests/support/patience.h"
#include "tests/support/valgrind.h"

static _Atomic uint64_t failed;		/* threads that could not attach */

static void a_thread_attaches_once_and_detaches_once(void **state)
{
	(void)state;
	assert_int_equal(bare_open(&b, "source=none"), 0);
	cof_thread_detach(&b.cof);	/* not attached: nothing */
	assert_null(cof_thread_self);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_non_null(cof_thread_self);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), -COF_E_STATE);
	assert_int_equal(b.cof.threads->n, 1);
	cof_thread_detach(&b.cof);
	cof_thread_detach(&b.cof);
	assert_null(cof_thread_self);
	assert_int_equal(b.cof.threads->n, 0);
	assert_null(b.cof.threads->list);
	assert_null(unbalanced(b.cof.flow));
	bare_close(&b);
}

static void the_system_knows_the_stack(void **state)
{
	char here;

	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_true(b.cof.threads->list->stack_lo < (uintptr_t)&here);
	assert_true(b.cof.threads->list->stack_hi > (uintptr_t)&here);
	assert_int_equal(b.cof.threads->list->tid, gettid());
	cof_thread_detach(&b.cof);
	bare_close(&b);
}

static void stack_bounds_that_make_no_sense_are_refused(void **state)
{
	char s[64];

	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, s, NULL), -COF_E_INVAL);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, s), -COF_E_INVAL);
	assert_int_equal(cof_thread_attach(&b.cof, s + 8, s), -COF_E_INVAL);
	assert_null(cof_thread_self);
	assert_int_equal(cof_thread_attach(&b.cof, s, s + 64), 0);
	assert_int_equal(b.cof.threads->list->stack_hi, (uintptr_t)s + 64);
	cof_thread_detach(&b.cof);
	bare_close(&b);
}

static void stacks_are_listed_and_taken_off(void **state)
{
	char s[64];

	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(cof_stack_add(&b.cof, s, s), -COF_E_INVAL);
	assert_int_equal(cof_stack_add(&b.cof, NULL, s), -COF_E_INVAL);
	assert_int_equal(cof_stack_add(&b.cof, s, s + 32), 0);
	assert_int_equal(cof_stack_add(&b.cof, s, s + 64), -COF_E_STATE);
	assert_int_equal(cof_stack_add(&b.cof, s + 32, s + 64), 0);
	cof_stack_remove(&b.cof, s);
	cof_stack_remove(&b.cof, s);	/* not listed: nothing */
	assert_non_null(b.cof.threads->stacks);
	assert_int_equal(b.cof.threads->stacks->lo, (uintptr_t)s + 32);
	assert_null(b.cof.threads->stacks->next);
	bare_close(&b);			/* frees the other */
}

static void stacks_that_overlap_are_refused(void **state)
{
	char s[96];

	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(cof_stack_add(&b.cof, s + 32, s + 64), 0);
	assert_int_equal(cof_stack_add(&b.cof, s, s + 33), -COF_E_INVAL);
	assert_int_equal(cof_stack_add(&b.cof, s + 63, s + 96), -COF_E_INVAL);
	assert_int_equal(cof_stack_add(&b.cof, s, s + 96), -COF_E_INVAL);
	assert_int_equal(cof_stack_add(&b.cof, s + 40, s + 50), -COF_E_INVAL);
	assert_int_equal(cof_stack_add(&b.cof, s, s + 32), 0);
	assert_int_equal(cof_stack_add(&b.cof, s + 64, s + 96), 0);
	cof_stack_remove(&b.cof, s + 32);
	assert_int_equal(cof_stack_add(&b.cof, s + 40, s + 64), 0);
	bare_close(&b);
}

static void *attach_only(void *arg)
{
	return cof_thread_attach(arg, NULL, NULL) == 0 ? arg : NULL;
}

static void a_thread_that_ends_is_detached(void **state)
{
	pthread_t thread;
	void *ret = NULL;

	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, attach_only, &b.cof), 0);
	pthread_join(thread, &ret);
	assert_non_null(ret);
	assert_int_equal(cof_count_get(&b.cof.flow->threads.detached), 1);
	assert_null(b.cof.threads->list);
	bare_close(&b);
}

static pthread_key_t late;
static int           attached_late;

/* Its key is made after libcof's, so it runs after libcof's in each round. */
static void see_whether_attached(void *arg)
{
	attached_late = cof_thread_attach(arg, NULL, NULL) == -COF_E_STATE;
}

static void *attach_and_end_late(void *arg)
{
	pthread_setspecific(late, arg);
	return attach_only(arg);
}

static void destructors_of_keys_run_attached(void **state)
{
	pthread_t thread;

	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_int_equal(pthread_key_create(&late, see_whether_attached), 0);
	assert_int_equal(pthread_create(&thread, NULL, attach_and_end_late,
					&b.cof), 0);
	pthread_join(thread, NULL);
	assert_true(attached_late);
	assert_int_equal(cof_count_get(&b.cof.flow->threads.detached), 1);
	cof_thread_detach(&b.cof);
	pthread_key_delete(late);
	bare_close(&b);
}

static void a_thread_outlives_the_instance_it_forgot_to_leave(void **state)
{
	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	bare_close(&b);
	assert_int_equal(bare_open(&other, NULL), 0);
	assert_int_equal(cof_thread_attach(&other.cof, NULL, NULL), 0);
	assert_ptr_equal(other.cof.threads->list, cof_thread_self);
	cof_thread_detach(&other.cof);
	bare_close(&other);
}

/* More than there is memory for. */
static uint64_t too_many_words(const struct cof *cof)
{
	(void)cof;
	return UINT64_C(1) << 60;
}

static void *attach_in_vain_and_end(void *arg)
{
	struct cof_threads_hooks no_memory = cof_sampler_threads_hooks;
	int err;

	(void)arg;
	no_memory.ring_words = too_many_words;
	if (!attach_only(&b.cof))
		return NULL;
	bare_close(&b);
	if (bare_open(&other, NULL) != 0)
		return NULL;
	other.cof.threads->sampler = &no_memory;
	err = cof_thread_attach(&other.cof, NULL, NULL);
	other.cof.threads->sampler = &cof_sampler_threads_hooks;
	return err == -COF_E_NOMEM && !cof_thread_self ? &other : NULL;
}

/* The record of the first instance is freed once, here or at the end. */
static void a_thread_may_fail_to_attach_to_the_next_one(void **state)
{
	pthread_t thread;
	void *ret = NULL;

	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, attach_in_vain_and_end,
					NULL), 0);
	pthread_join(thread, &ret);
	assert_non_null(ret);
	bare_close(&other);
}

static unsigned late_rounds;

/* As a host that attaches when it enters its code. */
static void attach_in_three_rounds(void *arg)
{
	if (cof_thread_self == NULL)
		cof_thread_attach(&b.cof, NULL, NULL);
	if (++late_rounds < 3)
		pthread_setspecific(late, arg);
}

static void one_that_attaches_while_it_ends_is_detached(void **state)
{
	pthread_t thread;

	(void)state;
#ifdef COF_TSAN
	skip();		/* it has left the thread in the last round */
#endif
	late_rounds = 0;
	assert_int_equal(bare_open(&b, NULL), 0);
	/* libcof's key is there before. */
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_int_equal(pthread_key_create(&late, attach_in_three_rounds), 0);
	assert_int_equal(pthread_create(&thread, NULL, attach_and_end_late,
					&b.cof), 0);
	pthread_join(thread, NULL);
	assert_int_equal(late_rounds, 3);
	assert_int_equal(cof_count_get(&b.cof.flow->threads.now), 1);
	cof_thread_detach(&b.cof);
	pthread_key_delete(late);
	bare_close(&b);
}

static void a_thread_belongs_to_one_instance_at_a_time(void **state)
{
	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(bare_open(&other, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_thread_attach(&other.cof, NULL, NULL),
			 -COF_E_STATE);
	cof_thread_detach(&other.cof);	/* not its thread: nothing */
	assert_non_null(cof_thread_self);
	cof_thread_detach(&b.cof);
	bare_close(&other);
	bare_close(&b);
}

#define BATCHES   20
#define PER_BATCH 50
#define BUSY_NS   UINT64_C(8000000)	/* of CPU time, at least */

static _Atomic uint64_t seen;	/* samples that the threads know of */

static void *guest(void *arg)
{
	struct patience p = patience_begin();
	struct bare *bare = arg;
	uint64_t end;

	if (cof_thread_attach(&bare->cof, NULL, NULL) != 0) {
		atomic_fetch_add(&failed, 1);
		return NULL;
	}
	end = cof_clock_thread_ns() + BUSY_NS;
	/* On a shared core the thread may see no tick for long. */
	while (cof_clock_thread_ns() < end ||
	       (!cof_count_get(&cof_thread_self->taken) &&
		!patience_is_over(&p)))
		bare_code(bare)(20000);
	atomic_fetch_add(&seen, cof_count_get(&cof_thread_self->taken));
	cof_thread_detach(&bare->cof);
	return NULL;
}

static void a_thousand_threads_come_and_go_without_loss(void **state)
{
	const struct cof_flow *flow;
	pthread_t thread[PER_BATCH];
	uint64_t taken = 0;

	(void)state;
	skip_under_valgrind();	/* late */
	assert_int_equal(bare_open(&b, "source=timer,budget_permille=0"), 0);
	flow = b.cof.flow;
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	for (int batch = 0; batch < BATCHES; batch++) {
		for (int i = 0; i < PER_BATCH; i++)
			assert_int_equal(pthread_create(&thread[i], NULL, guest,
							&b), 0);
		for (int i = 0; i < PER_BATCH; i++)
			pthread_join(thread[i], NULL);
	}
	assert_int_equal(atomic_load(&failed), 0);
	assert_int_equal(cof_count_get(&flow->threads.attached),
			 BATCHES * PER_BATCH);
	assert_int_equal(cof_count_get(&flow->threads.now), 0);

	/* SAM drains and frees all records without a request. */
	wait_until(cof_count_get(&flow->threads.detached) ==
		   BATCHES * PER_BATCH, flow);
	cof_sampler_stop(&b.cof);
	assert_null(b.cof.threads->list);
	assert_null(unbalanced(flow));
	taken = cof_count_get(&flow->sampler.taken);
	/* Each thread had one sample; one more may come just before a thread
	 * detaches. */
	assert_true(taken >= BATCHES * PER_BATCH);
	assert_in_range(taken, seen, seen + BATCHES * PER_BATCH);
	assert_true(cof_count_get(&flow->sampler.counted) > taken / 2);
	assert_int_equal(cof_count_get(&flow->sampler.drop_RING_FULL), 0);
	assert_true(cof_count_get(&flow->sampler.guest_ns) >=
		    BATCHES * PER_BATCH * BUSY_NS);
	assert_int_equal(b.version.sampled.total,
			 cof_count_get(&flow->sampler.counted));
	bare_close(&b);
}

#define T(name) cmocka_unit_test_teardown(name, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_thread_attaches_once_and_detaches_once),
		T(the_system_knows_the_stack),
		T(stack_bounds_that_make_no_sense_are_refused),
		T(stacks_are_listed_and_taken_off),
		T(stacks_that_overlap_are_refused),
		T(a_thread_that_ends_is_detached),
		T(destructors_of_keys_run_attached),
		T(a_thread_outlives_the_instance_it_forgot_to_leave),
		T(a_thread_may_fail_to_attach_to_the_next_one),
		T(one_that_attaches_while_it_ends_is_detached),
		T(a_thread_belongs_to_one_instance_at_a_time),
		T(a_thousand_threads_come_and_go_without_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

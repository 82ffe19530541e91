/*
 * test_threads.c - guest threads come, are sampled, and go without a trace
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

#include "balance.h"
#include "bare.h"
#include "clock.h"
#include "sampler/handler.h"
#include "sampler/timer.h"

static struct bare b;
static _Atomic uint64_t failed;		/* threads that could not attach */

static void a_thread_attaches_once_and_detaches_once(void **state)
{
	(void)state;
	assert_int_equal(bare_open(&b, "source=none"), 0);
	cof_thread_detach(&b.cof);	/* not attached: nothing */
	assert_null(cof_self);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_non_null(cof_self);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), -COF_E_STATE);
	assert_int_equal(b.cof.threads->n, 1);
	cof_thread_detach(&b.cof);
	cof_thread_detach(&b.cof);
	assert_null(cof_self);
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
	assert_null(cof_self);
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

static void a_thread_outlives_the_instance_it_forgot_to_leave(void **state)
{
	struct bare other;

	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	bare_close(&b);
	assert_int_equal(bare_open(&other, NULL), 0);
	assert_int_equal(cof_thread_attach(&other.cof, NULL, NULL), 0);
	assert_ptr_equal(other.cof.threads->list, cof_self);
	cof_thread_detach(&other.cof);
	bare_close(&other);
}

static void a_thread_belongs_to_one_instance_at_a_time(void **state)
{
	struct bare other;

	(void)state;
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(bare_open(&other, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_thread_attach(&other.cof, NULL, NULL),
			 -COF_E_STATE);
	cof_thread_detach(&other.cof);	/* not its thread: nothing */
	assert_non_null(cof_self);
	cof_thread_detach(&b.cof);
	bare_close(&other);
	bare_close(&b);
}

/* -- The end of an instance against handlers ------------------------------- */

/* A sample's signal, as if a timer had raised it. */
static void signal_thread(int tid)
{
	siginfo_t info = { .si_signo = SIGPROF, .si_code = SI_TIMER };

	info.si_value.sival_ptr = &cof_process_signal_cookie[COF_COOKIE_SAMPLE];
	syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, SIGPROF, &info);
}

static void a_handler_that_comes_late_finds_no_instance(void **state)
{
	siginfo_t info = { .si_signo = SIGPROF, .si_code = SI_TIMER };
	ucontext_t uc = { 0 };

	(void)state;
	info.si_value.sival_ptr = &cof_process_signal_cookie[COF_COOKIE_SAMPLE];
	assert_int_equal(bare_open(&b, "source=none"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	cof_handler(SIGPROF, &info, &uc);
	assert_int_equal(cof_count_get(&cof_self->taken), 1);
	cof_sampler_stop(&b.cof);
	assert_null(atomic_load(&cof_self->live));
	cof_handler(SIGPROF, &info, &uc);
	assert_int_equal(cof_count_get(&cof_self->taken), 1);
	assert_false(atomic_load(&cof_self->busy));
	cof_thread_detach(&b.cof);

	/* Nor does a thread that attaches to a stopped one. */
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_null(atomic_load(&cof_self->live));
	cof_thread_detach(&b.cof);
	bare_close(&b);
}

static _Atomic int step;

/* The end of a handler that was under way. */
static void *leave_handler(void *arg)
{
	struct cof_thread *t = arg;

	while (atomic_load(&t->live))
		sched_yield();		/* until the stop has begun */
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
	assert_int_equal(cof_sampler_start(&b.cof, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	atomic_store(&cof_self->busy, true);
	assert_int_equal(pthread_create(&thread, NULL, leave_handler, cof_self),
			 0);
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
	struct cof *cof;

	(void)state;
	assert_int_equal(cof_start(&host, "stats=none,source=none", NULL, &cof),
			 0);
	assert_int_equal(cof_thread_attach(cof, NULL, NULL), 0);
	atomic_store(&cof_self->busy, true);	/* left by siglongjmp(3) */
	assert_false(cof_sampler_quiet(cof));
	cof_free(cof);
	assert_ptr_equal(cof_self->cof, cof);	/* it is all still there */
	assert_ptr_equal(cof->threads->list, cof_self);
	atomic_store(&cof_self->busy, false);
	cof_thread_detach(cof);
	cof_free(cof);
}

#define STUBBORN 3	/* threads that never detach */
#define LIVES    30	/* instances that end meanwhile */

static _Atomic(struct cof *) instance;
static _Atomic uint64_t life, ready;
static _Atomic int tids[STUBBORN];
static _Atomic bool over;

static void *stubborn(void *arg)
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

static void *shoot(void *arg)
{
	(void)arg;
	while (!atomic_load(&over)) {
		for (int i = 0; i < STUBBORN; i++)
			if (atomic_load(&tids[i]))
				signal_thread(atomic_load(&tids[i]));
		sched_yield();
	}
	return NULL;
}

static void instances_end_under_fire(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test" };
	pthread_t thread[STUBBORN], shooter;

	(void)state;
	/* What comes between two instances must find a handler, too. */
	assert_int_equal(cof_process_signal_install(SIGPROF, cof_handler), 0);
	for (int i = 0; i < STUBBORN; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, stubborn,
						&tids[i]), 0);
	assert_int_equal(pthread_create(&shooter, NULL, shoot, NULL), 0);
	for (uint64_t i = 1; i <= LIVES; i++) {
		struct cof *cof = NULL;

		assert_int_equal(cof_start(&host, "stats=none,source=none,"
					   "signal=27", NULL, &cof), 0);
		atomic_store(&instance, cof);
		atomic_store(&ready, 0);
		atomic_store(&life, i);
		while (atomic_load(&ready) < STUBBORN)
			sched_yield();
		wait_until(cof_count_get(&cof->flow->sampler.taken) > 0,
			   cof->flow);
		cof_free(cof);
	}
	atomic_store(&over, true);
	pthread_join(shooter, NULL);
	for (int i = 0; i < STUBBORN; i++)
		pthread_join(thread[i], NULL);
	cof_process_signal_remove(SIGPROF);
	assert_int_equal(atomic_load(&failed), 0);
}

/* -- The first expiry ------------------------------------------------------ */

#define MS 1000000u

static void a_period_below_the_tick_expires_at_once(void **state)
{
	(void)state;
	for (uint64_t rnd = 0; rnd < 8 * MS; rnd += 99991) {
		assert_int_equal(cof_timer_first(4 * MS, 4 * MS, rnd), 1);
		assert_int_equal(cof_timer_first(MS, 4 * MS, rnd), 1);
	}
}

static void a_longer_one_expires_at_a_multiple_of_the_tick(void **state)
{
	uint64_t n[3] = { 0 }, first;

	(void)state;
	for (uint64_t rnd = 0; rnd < 1200 * MS; rnd += MS / 10) {
		first = cof_timer_first(12 * MS, 4 * MS, rnd);
		assert_int_equal((first - 1) % (4 * MS), 0);
		assert_true(first < 12 * MS);
		n[(first - 1) / (4 * MS)]++;
	}
	assert_int_equal(n[0], 4000);
	assert_int_equal(n[1], 4000);
	assert_int_equal(n[2], 4000);
}

static void without_a_tick_it_is_anywhere_in_the_period(void **state)
{
	(void)state;
	assert_int_equal(cof_timer_first(12 * MS, 0, 5 * MS + 3), 5 * MS + 4);
	assert_int_equal(cof_timer_first(12 * MS, 0, 12 * MS), 1);
}

/*
 * The model of timer.c: ticks at u, u + T, ...; a thread that lives for c gets
 * a sample at the first tick from F on, and one each P from there.
 */
static uint64_t samples_of(uint64_t c, uint64_t u, uint64_t f, uint64_t p,
			   uint64_t t)
{
	uint64_t n = 0;

	for (uint64_t tick = u; tick < c; tick += t) {
		if (tick < f)
			continue;
		n++;
		f += (tick - f) / p * p + p;
	}
	return n;
}

static void a_thread_gets_its_time_by_the_period_however_short(void **state)
{
	const uint64_t tick = 4 * MS, period[] = { 4 * MS, 8 * MS, 20 * MS };
	const uint64_t lives[] = { MS / 2, MS, 3 * MS, 5 * MS, 50 * MS };
	uint64_t rng = 1;

	(void)state;
	for (int p = 0; p < 3; p++) {
		for (int c = 0; c < 5; c++) {
			uint64_t got = 0, want;

			for (int i = 0; i < 200000; i++) {
				uint64_t u, f;

				rng = rng * 6364136223846793005u + 1;
				u = (rng >> 33) % tick;
				rng = rng * 6364136223846793005u + 1;
				f = cof_timer_first(period[p], tick, rng >> 16);
				got += samples_of(lives[c], u, f, period[p],
						  tick);
			}
			want = 200000 * lives[c] / period[p];
			assert_in_range(got, want - want / 20,
					want + want / 20);
		}
	}
}

#define SHORT_THREADS 1500
#define SHORT_NS      1500000u	/* of CPU time: less than a tick */

static void *short_guest(void *arg)
{
	struct bare *bare = arg;
	uint64_t end = cof_clock_thread_ns() + SHORT_NS;

	if (cof_thread_attach(&bare->cof, NULL, NULL) != 0) {
		atomic_fetch_add(&failed, 1);
		return NULL;
	}
	while (cof_clock_thread_ns() < end)
		bare_code(bare)(2000);
	cof_thread_detach(&bare->cof);
	return NULL;
}

static void short_threads_get_their_share_of_samples(void **state)
{
	struct timespec res;
	uint64_t taken, want, each;
	pthread_t thread;

	(void)state;
	assert_int_equal(clock_getres(CLOCK_MONOTONIC_COARSE, &res), 0);
	assert_int_equal(bare_open(&b, "source=timer,budget_permille=0,"
				       "sample_hz=100"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL), 0);
	if (strcmp(b.cof.share->header->source, "timer") != 0) {
		bare_close(&b);
		skip();
	}
	for (int i = 0; i < SHORT_THREADS; i++) {
		assert_int_equal(pthread_create(&thread, NULL, short_guest, &b),
				 0);
		pthread_join(thread, NULL);
	}
	assert_int_equal(atomic_load(&failed), 0);
	cof_sampler_stop(&b.cof);
	taken = cof_count_get(&b.cof.flow->sampler.taken);
	each = res.tv_nsec > 10000000 ? (uint64_t)res.tv_nsec : 10000000;
	want = cof_count_get(&b.cof.flow->sampler.guest_ns) / each;
	print_message("%llu samples of %llu\n", (unsigned long long)taken,
		      (unsigned long long)want);
	/* An expiry that is uniform in the period gives a fifth. */
	assert_true(taken > want / 3);
	assert_true(taken < want * 3);
	bare_close(&b);
}

/* -- A thousand ------------------------------------------------------------ */

#define BATCHES   20
#define PER_BATCH 50
#define BUSY_NS   8000000u	/* of CPU time: two ticks at least */

static void *guest(void *arg)
{
	struct bare *bare = arg;
	uint64_t end;

	if (cof_thread_attach(&bare->cof, NULL, NULL) != 0) {
		atomic_fetch_add(&failed, 1);
		return NULL;
	}
	end = cof_clock_thread_ns() + BUSY_NS;
	while (cof_clock_thread_ns() < end)
		bare_code(bare)(20000);
	cof_thread_detach(&bare->cof);
	return NULL;
}

static void a_thousand_threads_come_and_go_without_loss(void **state)
{
	const struct cof_flow *flow;
	pthread_t thread[PER_BATCH];
	uint64_t taken = 0;

	(void)state;
	assert_int_equal(bare_open(&b, "source=timer,budget_permille=0"), 0);
	flow = b.cof.flow;
	assert_int_equal(cof_sampler_start(&b.cof, NULL), 0);
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

	/* SAM drains and frees them all, without being asked. */
	wait_until(cof_count_get(&flow->threads.detached) ==
		   BATCHES * PER_BATCH, flow);
	cof_sampler_stop(&b.cof);
	assert_null(b.cof.threads->list);
	assert_null(unbalanced(flow));
	taken = cof_count_get(&flow->sampler.taken);
	/* A sample per tick they used, at up to a tick each; half is plenty. */
	assert_true(taken > BATCHES * PER_BATCH / 2);
	assert_true(cof_count_get(&flow->sampler.counted) > taken / 2);
	assert_int_equal(cof_count_get(&flow->sampler.drop_RING_FULL), 0);
	assert_true(cof_count_get(&flow->sampler.guest_ns) >=
		    (uint64_t)BATCHES * PER_BATCH * BUSY_NS);
	assert_int_equal(b.version.samples,
			 cof_count_get(&flow->sampler.counted));
	bare_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_attaches_once_and_detaches_once),
		cmocka_unit_test(the_system_knows_the_stack),
		cmocka_unit_test(stack_bounds_that_make_no_sense_are_refused),
		cmocka_unit_test(stacks_are_listed_and_taken_off),
		cmocka_unit_test(stacks_that_overlap_are_refused),
		cmocka_unit_test(a_thread_that_ends_is_detached),
		cmocka_unit_test(a_thread_outlives_the_instance_it_forgot_to_leave),
		cmocka_unit_test(a_thread_belongs_to_one_instance_at_a_time),
		cmocka_unit_test(a_handler_that_comes_late_finds_no_instance),
		cmocka_unit_test(the_stop_waits_for_a_handler_under_way),
		cmocka_unit_test(a_handler_that_does_not_end_keeps_the_instance),
		cmocka_unit_test(instances_end_under_fire),
		cmocka_unit_test(a_period_below_the_tick_expires_at_once),
		cmocka_unit_test(a_longer_one_expires_at_a_multiple_of_the_tick),
		cmocka_unit_test(without_a_tick_it_is_anywhere_in_the_period),
		cmocka_unit_test(a_thread_gets_its_time_by_the_period_however_short),
		cmocka_unit_test(short_threads_get_their_share_of_samples),
		cmocka_unit_test(a_thousand_threads_come_and_go_without_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_reclaim_inside.c - old code is not freed while a thread is inside
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <semaphore.h>
#include <ucontext.h>

#include "reclaim.h"
#include "tests/cof/process/raise.h"

static sem_t          there, go;
static _Atomic int    leave;
static pthread_t      guest_thread;
static bool           guest_inside;

static void sleep_inside(void)
{
	sem_post(&there);
	sem_wait(&go);
}

static void spin_inside(void)
{
	sem_post(&there);
	while (!leave)
		;
}

/* The version makes a frame, calls a C function, returns a value. */
static void add_calling(const void *function, int value)
{
	struct piece p = { .n = 0 };

	piece_enter(&p);
	piece_call_c(&p, function);
	piece_bytes(&p, 0xb8);
	piece_put(&p, &value, sizeof(value));
	piece_leave(&p);
	piece_add(cof, method, &p, NULL);
}

/* A leaf that loops: only the pc of a thread says that it is inside. */
static void add_spinning_leaf(int value)
{
	struct piece p = { .n = 0 };
	const void *flag = &leave, *post = (const void *)(uintptr_t)sem_post;
	const void *sem = &there;

	piece_enter(&p);
	piece_bytes(&p, 0x48, 0xbf);		/* mov $there, %rdi */
	piece_put(&p, &sem, sizeof(sem));
	piece_call_c(&p, post);
	piece_bytes(&p, 0x48, 0x83, 0xc4, 8);	/* add $8, %rsp */
	piece_bytes(&p, 0x48, 0xba);		/* mov $leave, %rdx */
	piece_put(&p, &flag, sizeof(flag));
	piece_bytes(&p, 0x83, 0x3a, 0);		/* 1: cmpl $0, (%rdx) */
	piece_bytes(&p, 0x74, 0xfb);		/* je 1b */
	piece_return(&p, value);
	piece_add(cof, method, &p, NULL);
}

static void *guest(void *arg)
{
	int got;

	(void)arg;
	cof_thread_attach(cof, NULL, NULL);
	got = piece_run(cof_method_stub(method));
	cof_thread_detach(cof);
	return (void *)(intptr_t)got;
}

static void enter(void)
{
	sem_init(&there, 0, 0);
	sem_init(&go, 0, 0);
	leave = 0;
	assert_int_equal(pthread_create(&guest_thread, NULL, guest, NULL), 0);
	guest_inside = true;
	sem_wait(&there);
}

static int come_back(bool kicked)
{
	void *got;

	if (kicked)
		kick_end();
	leave = 1;
	sem_post(&go);
	pthread_join(guest_thread, &got);
	guest_inside = false;
	return (int)(intptr_t)got;
}

/* The guest is in version 0, and stays there until come_back(). */
static void stays_while_inside(bool kicked)
{
	struct cof_version *v = method->current;

	enter();
	if (kicked)
		kick_begin(guest_thread);
	piece_add_return(cof, method, 2);
	assert_int_equal(piece_run(cof_method_stub(method)), 2);
	for (int i = 1; i <= 3; i++) {
		one_search();
		assert_int_equal(v->state, COF_VERSION_RETIRED);
		assert_int_equal(count(&reclaimed->in_use), i);
	}
	assert_int_equal(come_back(kicked), 1);
	until_free();
	assert_int_equal(discarded, 1);
	assert_int_equal(count(&reclaimed->no_answer), 0);
}

static void code_that_sleeps_in_a_call_stays(void **state)
{
	(void)state;
	add_calling((const void *)(uintptr_t)sleep_inside, 1);
	stays_while_inside(false);
}

static void code_that_waits_for_a_call_that_runs_stays(void **state)
{
	(void)state;
	add_calling((const void *)(uintptr_t)spin_inside, 1);
	stays_while_inside(true);
}

static void code_that_runs_stays(void **state)
{
	(void)state;
	skip_under_tsan();	/* it delays signals until its own code runs */
	add_spinning_leaf(1);
	stays_while_inside(true);
}

static void code_reached_through_slots_stays_while_anybody_sleeps(void **state)
{
	struct cof_method *other = piece_method(cof, NULL);
	void *word = NULL;

	(void)state;
	assert_int_equal(cof_slot_add(other, &word), 0);
	piece_add_return(cof, other, 1);
	add_calling((const void *)(uintptr_t)sleep_inside, 1);
	enter();	/* in another method */
	piece_add_return(cof, other, 2);
	one_search();
	assert_int_equal(count(&reclaimed->in_use), 1);
	come_back(false);
	until_free();
}

static void a_thread_that_does_not_answer_puts_it_off(void **state)
{
	(void)state;
	add_calling((const void *)(uintptr_t)spin_inside, 1);
	enter();
	piece_add_return(cof, method, 2);
	one_search_of(20 * MS);
	assert_int_equal(count(&reclaimed->no_answer), 1);
	assert_int_equal(count(&reclaimed->waiting), 1);
	come_back(false);
	until_free();
}

static ucontext_t on_main, on_fiber;
static char       fiber[65536];

static void run_fiber(void)
{
	sleep_inside();
}

static void *fiber_guest(void *arg)
{
	(void)arg;
	cof_thread_attach(cof, NULL, NULL);
	getcontext(&on_fiber);
	on_fiber.uc_stack.ss_sp = fiber;
	on_fiber.uc_stack.ss_size = sizeof(fiber);
	on_fiber.uc_link = &on_main;
	makecontext(&on_fiber, run_fiber, 0);
	swapcontext(&on_main, &on_fiber);
	cof_thread_detach(cof);
	return NULL;
}

static void a_stack_nobody_listed_puts_it_off(void **state)
{
	(void)state;
	piece_add_return(cof, method, 1);
	sem_init(&there, 0, 0);
	sem_init(&go, 0, 0);
	assert_int_equal(pthread_create(&guest_thread, NULL, fiber_guest, NULL),
			 0);
	guest_inside = true;
	sem_wait(&there);
	piece_add_return(cof, method, 2);
	one_search();
	assert_int_equal(count(&reclaimed->foreign_stack), 1);
	assert_int_equal(cof_stack_add(cof, fiber, fiber + sizeof(fiber)), 0);
	/* Old words on the thread's own stack may still point there. */
	one_search();
	assert_int_equal(count(&reclaimed->foreign_stack), 1);
	assert_int_equal(count(&reclaimed->no_answer), 0);
	come_back(false);
	until_free();
}

static void searches_in_vain_become_rare_until_there_is_news(void **state)
{
	uint64_t rounds;

	(void)state;
	add_calling((const void *)(uintptr_t)sleep_inside, 1);
	enter();
	piece_add_return(cof, method, 2);
	cof->opts.reclaim_ms = LONG_MS;
	one_search();
	rounds = count(&reclaimed->rounds);
	for (int i = 0; i < 200; i++) {
		assert_int_equal(round_of(), 1);
		nap();
	}
	assert_int_equal(count(&reclaimed->rounds), rounds);
	piece_add_return(cof, method, 3);
	one_search();
	come_back(false);
	cof->opts.reclaim_ms = 1;
	piece_add_return(cof, method, 4);
	until_free();
}

static _Atomic unsigned ran;

static void *caller(void *stub)
{
	cof_thread_attach(cof, NULL, NULL);
	while (!leave) {
		int got = piece_run(stub);

		if (got < 0 || got >= 1000)
			return (void *)1;
		ran++;
	}
	cof_thread_detach(cof);
	return NULL;
}

static void wait_a_bit(void)
{
	nap();
}

/*
 * Two threads call a method through a direct call of another one. A third
 * thread sleeps in versions of a third method. All three methods are replaced
 * again and again, and P/O frees what it can.
 */
static void code_is_freed_while_threads_run_it(void **state)
{
	struct cof_method *outer, *sleepy;
	pthread_t thread[3];
	void *wrong;

	(void)state;
	cof_free(cof);
	cof_role = COF_ROLE_APP;
	assert_int_equal(start("mode=co,stats=none,code_mb=16,reclaim_ms=2,"
			       "build_pct=0,source=timer"), 0);
	outer = piece_method(cof, NULL);
	sleepy = piece_method(cof, NULL);
	leave = 0;
	for (int i = 0; i < 1000; i++) {
		struct piece p = { .n = 0 };

		piece_add_return(cof, method, i);
		if (i % 10 == 0) {
			piece_enter(&p);
			piece_call(&p, method);
			piece_leave(&p);
			piece_add(cof, outer, &p, NULL);
			p.n = p.n_calls = 0;
			piece_enter(&p);
			piece_call_c(&p, (const void *)(uintptr_t)wait_a_bit);
			piece_call(&p, method);
			piece_leave(&p);
			piece_add(cof, sleepy, &p, NULL);
			nap();
		}
		for (int t = 0; t < 3 && i == 0; t++)
			assert_int_equal(pthread_create(&thread[t], NULL,
				caller, cof_method_stub(t < 2 ? outer :
							sleepy)), 0);
	}
	/* Most are freed while the threads run: old words in their frames may
	 * keep some. The others are freed then. */
	wait_until(count(&reclaimed->waiting) < 20, cof->flow);
	wait_until(ran > 0, cof->flow);
	leave = 1;
	for (int t = 0; t < 3; t++) {
		pthread_join(thread[t], &wrong);
		assert_null(wrong);
	}
	wait_until(count(&reclaimed->waiting) == 0, cof->flow);
	assert_int_equal(count(&reclaimed->freed), 1000 - 1 + 2 * (100 - 1));
}

/* A failed test may have left its guest inside. */
static int leave_and_teardown(void **state)
{
	if (guest_inside)
		come_back(kicking);
	return teardown(state);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, leave_and_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(code_that_sleeps_in_a_call_stays),
		T(code_that_waits_for_a_call_that_runs_stays),
		T(code_that_runs_stays),
		T(code_reached_through_slots_stays_while_anybody_sleeps),
		T(a_thread_that_does_not_answer_puts_it_off),
		T(a_stack_nobody_listed_puts_it_off),
		T(searches_in_vain_become_rare_until_there_is_news),
		T(code_is_freed_while_threads_run_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

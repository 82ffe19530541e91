/*
 * test_reclaim.c - old code is freed when nobody is inside, and never before
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

#include "balance.h"
#include "instance.h"
#include "patcher/reclaim.h"
#include "patcher/scan.h"
#include "piece.h"
#include "role.h"
#include "sampler/threads.h"
#include "share.h"
#include "tsan.h"

#define MS      UINT64_C(1000000)
#define PATIENT (20000 * MS)	/* never reached unless something is wrong */
#define LONG_MS 60000		/* a quarantine that does not end in a test */

static struct cof        *cof;
static struct cof_method *method;
static unsigned           discarded;
static void              *last_discarded;
static unsigned char      first_byte;	/* of its code, during discard() */
static const unsigned char *watched;

static void discard(void *ctx, void *version)
{
	(void)ctx;
	discarded++;
	last_discarded = version;
	if (watched)
		first_byte = *watched;
}

static int start(const char *options)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .discard = discard };

	discarded = 0;
	last_discarded = NULL;
	watched = NULL;
	if (cof_start(&host, options, NULL, &cof) != 0)
		return -1;
	return cof_method_add(cof, "m", NULL, &method);
}

static int setup(void **state)
{
	(void)state;
	cof_role = COF_ROLE_PICKER;
	return start("mode=off,stats=none,code_mb=16,reclaim_ms=1");
}

static int teardown(void **state)
{
	(void)state;
	cof_stop(cof);
	assert_null(unbalanced(cof->flow));
	cof_free(cof);
	return 0;
}

static uint64_t count(const cof_count *c)
{
	return cof_count_get(c);
}

#define reclaimed (&cof->flow->reclaim)

static uint32_t round_of(void)
{
	return cof_reclaim_round(cof, PATIENT);
}

/* Rounds until no version waits. */
static void until_free(void)
{
	wait_until(round_of() == 0, cof->flow);
}

/* Rounds until a search was made, or given up after wait_ns. */
static void one_search_of(uint64_t wait_ns)
{
	uint64_t before = count(&reclaimed->rounds);

	wait_until((cof_reclaim_round(cof, wait_ns),
		    count(&reclaimed->rounds) > before), cof->flow);
}

static void one_search(void)
{
	one_search_of(PATIENT);
}

/* -- Nobody inside ---------------------------------------------------------- */

static void a_version_nobody_runs_goes_through_quarantine(void **state)
{
	struct cof_version *v;
	struct cof_method *m;
	unsigned number;
	const unsigned char *code;
	struct piece p = { .n = 0 };

	(void)state;
	cof->opts.reclaim_ms = LONG_MS;
	piece_return(&p, 1);
	piece_add(cof, method, &p, &p);
	v = method->current;
	watched = code = (const unsigned char *)v->start;
	piece_add_return(cof, method, 2);
	assert_int_equal(round_of(), 1);
	assert_int_equal(v->state, COF_VERSION_QUARANTINE);
	for (unsigned i = 0; i < v->block.size_bytes; i++)
		assert_int_equal(code[i], 0xcc);
	assert_int_equal(cof_version_find(cof, code, &m, &number), 0);
	/* The host forgot it while its code was whole. */
	assert_int_equal(discarded, 1);
	assert_ptr_equal(last_discarded, &p);
	assert_int_equal(first_byte, 0xb8);
	assert_int_equal(round_of(), 1);
	assert_int_equal(count(&reclaimed->freed), 0);

	cof->opts.reclaim_ms = 1;
	until_free();
	assert_int_equal(discarded, 1);
	assert_int_equal(count(&reclaimed->freed), 1);
	assert_int_equal(count(&reclaimed->freed_bytes), 64);
	assert_int_equal(count(&cof->flow->patcher.code_retired), 0);
	assert_int_equal(count(&cof->flow->patcher.code_first), 64);
	round_of();
	assert_int_equal(count(&cof->flow->memory.versions), 1);
	assert_int_equal(piece_run(cof_method_stub(method)), 2);
}

static void freed_memory_is_used_again(void **state)
{
	(void)state;
	for (int i = 0; i < 300; i++) {
		piece_add_return(cof, method, i);
		assert_int_equal(piece_run(cof_method_stub(method)), i);
		if (i % 3 == 0)
			until_free();
	}
	until_free();
	assert_int_equal(count(&reclaimed->freed), 299);
	assert_int_equal(count(&cof->flow->patcher.code_first), 64);
}

static void sites_of_a_freed_version_are_forgotten(void **state)
{
	static struct cof_call_site calls[1];
	struct cof_method *caller = piece_method(cof, NULL);
	struct piece p = { .n = 0 };
	struct cof_version_desc d;

	(void)state;
	piece_call(&p, method);
	d = piece_place(cof, &p, calls);
	assert_int_equal(cof_version_add(caller, &d), 0);
	assert_non_null(method->callers);
	piece_add_return(cof, caller, 1);
	until_free();
	assert_null(method->callers);
	assert_int_equal(count(&cof->flow->patcher.sites), 0);
	piece_add_return(cof, method, 1);
}

static int hosts_code(void)
{
	return 5;
}

static void code_of_the_hosts_own_is_discarded_and_not_touched(void **state)
{
	struct cof_version_desc d = { .size = sizeof(d) };
	struct cof_version *v;

	(void)state;
	cof->opts.reclaim_ms = LONG_MS;
	d.start = (const void *)(uintptr_t)hosts_code;
	d.size_bytes = 1;
	d.data = &d;
	assert_int_equal(cof_version_add(method, &d), 0);
	v = method->current;
	piece_add_return(cof, method, 2);
	assert_int_equal(round_of(), 1);
	assert_int_equal(v->state, COF_VERSION_QUARANTINE);
	assert_int_equal(discarded, 0);
	cof->opts.reclaim_ms = 1;
	until_free();
	assert_int_equal(discarded, 1);
	assert_ptr_equal(last_discarded, &d);
	assert_int_equal(hosts_code(), 5);
}

/* -- Somebody inside -------------------------------------------------------- */

static void handler(int sig, siginfo_t *info, void *ucontext)
{
	struct cof_thread *self = cof_self;

	(void)sig;
	(void)info;
	if (self)
		cof_scan_answer(cof_scan_of(self->cof), self, ucontext);
}

static sem_t          there, go;
static _Atomic int    leave;
static _Atomic bool   quiet;
static pthread_t      guest_thread, kicker_thread;

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

/* Frame, call of a C function, return value. */
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

/* A leaf that loops in itself: only its pc says where it is. */
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

static void *kicker(void *arg)
{
	(void)arg;
	while (!quiet) {
		pthread_kill(guest_thread, SIGUSR1);
		nap();
	}
	return NULL;
}

static void enter(void)
{
	struct sigaction act = { .sa_sigaction = handler,
				 .sa_flags = SA_SIGINFO | SA_RESTART };

	sigaction(SIGUSR1, &act, NULL);
	sem_init(&there, 0, 0);
	sem_init(&go, 0, 0);
	leave = 0;
	quiet = false;
	assert_int_equal(pthread_create(&guest_thread, NULL, guest, NULL), 0);
	sem_wait(&there);
}

static void kick(void)
{
	assert_int_equal(pthread_create(&kicker_thread, NULL, kicker, NULL), 0);
}

static int come_back(bool kicked)
{
	void *got;

	if (kicked) {
		quiet = true;
		pthread_join(kicker_thread, NULL);
	}
	leave = 1;
	sem_post(&go);
	pthread_join(guest_thread, &got);
	return (int)(intptr_t)got;
}

/* The guest is in version 0, whatever kept it there. */
static void stays_while_inside(bool kicked)
{
	struct cof_version *v = method->current;

	enter();
	if (kicked)
		kick();
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
#ifdef COF_TSAN		/* it holds signals back until code of its own runs */
	skip();
#endif
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
	sem_wait(&there);
	piece_add_return(cof, method, 2);
	one_search();
	assert_int_equal(count(&reclaimed->foreign_stack), 1);
	assert_int_equal(cof_stack_add(cof, fiber, fiber + sizeof(fiber)), 0);
	one_search();	/* old words on its own stack may still point there */
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

/* -- Never ------------------------------------------------------------------ */

static void once_disabled_nothing_is_freed_any_more(void **state)
{
	struct cof_version *v[2];

	(void)state;
	cof->opts.reclaim_ms = LONG_MS;
	piece_add_return(cof, method, 1);
	v[0] = method->current;
	piece_add_return(cof, method, 2);
	round_of();
	assert_int_equal(v[0]->state, COF_VERSION_QUARANTINE);
	v[1] = method->current;
	piece_add_return(cof, method, 3);
	cof->opts.reclaim_ms = 1;
	cof_reclaim_disable(cof, "a stack we cannot see");
	cof_reclaim_disable(cof, "another reason");
	for (int i = 0; i < 5; i++) {
		assert_int_equal(round_of(), 0);
		nap();
	}
	assert_int_equal(v[0]->state, COF_VERSION_QUARANTINE);
	assert_int_equal(v[1]->state, COF_VERSION_RETIRED);
	assert_int_equal(count(&reclaimed->disabled), 1);
	assert_int_equal(count(&reclaimed->waiting), 2);
	assert_string_equal(cof->share->header->reclaim_off,
			    "a stack we cannot see");
}

static void the_end_discards_what_is_left_once(void **state)
{
	(void)state;
	cof->opts.reclaim_ms = LONG_MS;
	for (int i = 0; i < 3; i++)
		piece_add_return(cof, method, i);
	round_of();
	assert_int_equal(discarded, 2);
	piece_add_return(cof, method, 4);
	cof_free(cof);
	assert_int_equal(discarded, 4);
	setup(state);
}

/* -- Records ---------------------------------------------------------------- */

static void turn(_Atomic uint64_t *turns, unsigned n)
{
	atomic_fetch_add(turns, n);
	cof->forecasts_turn = cof->pre_turns;	/* P/O emptied its queue */
	round_of();
}

static void a_record_outlives_its_code_until_all_have_turned(void **state)
{
	cof_count *versions = &cof->flow->memory.versions;

	(void)state;
	/* As if there were threads: only their turns are looked at. */
	cof->sampler = (struct cof_sampler *)cof;
	cof->predictor = (struct cof_predictor *)cof;
	piece_add_return(cof, method, 1);
	piece_add_return(cof, method, 2);
	until_free();
	assert_true(cof_reclaim_has_work(cof));	/* P/O may not rest yet */
	turn(&cof->pre_turns, 5);	/* SAM may still tell PRE */
	turn(&cof->sam_turns, 1);
	assert_int_equal(count(versions), 2);
	turn(&cof->sam_turns, 1);
	turn(&cof->pre_turns, 1);
	assert_int_equal(count(versions), 2);
	atomic_fetch_add(&cof->pre_turns, 1);
	round_of();			/* PRE may still have told P/O */
	assert_int_equal(count(versions), 2);
	assert_true(cof_reclaim_has_work(cof));
	turn(&cof->pre_turns, 0);
	assert_int_equal(count(versions), 1);
	assert_false(cof_reclaim_has_work(cof));
	cof->sampler = NULL;
	cof->predictor = NULL;
}

static void records_are_freed_even_if_code_is_not_any_more(void **state)
{
	cof_count *versions = &cof->flow->memory.versions;

	(void)state;
	cof->sampler = (struct cof_sampler *)cof;
	cof->predictor = (struct cof_predictor *)cof;
	piece_add_return(cof, method, 1);
	piece_add_return(cof, method, 2);
	until_free();
	piece_add_return(cof, method, 3);
	cof_reclaim_disable(cof, NULL);
	assert_true(cof_reclaim_has_work(cof));
	assert_int_equal(count(versions), 3);
	turn(&cof->sam_turns, 2);
	turn(&cof->pre_turns, 2);
	assert_int_equal(count(versions), 2);
	assert_int_equal(count(&reclaimed->waiting), 1);
	assert_false(cof_reclaim_has_work(cof));
	cof->sampler = NULL;
	cof->predictor = NULL;
}

/* The index's: P/O collects what others left over. */
static void garbage_is_work_for_a_round(void **state)
{
	(void)state;
	for (int i = 0; i < 600; i++)
		piece_add_return(cof, piece_method(cof, NULL), i);
	assert_int_equal(count(&reclaimed->waiting), 0);
	assert_true(cof_reclaim_has_work(cof));
	assert_int_equal(round_of(), 0);
	assert_false(cof_reclaim_has_work(cof));
}

/* -- All of it -------------------------------------------------------------- */

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
 * Two threads call a method through another's direct call, a third sleeps in
 * versions of a third method, while all three are replaced again and again and
 * P/O frees what it can.
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
	/* While the threads still run, but for what a word left over in one of
	 * their frames may keep; then the last of them. */
	wait_until(count(&reclaimed->waiting) < 20, cof->flow);
	leave = 1;
	for (int t = 0; t < 3; t++) {
		pthread_join(thread[t], &wrong);
		assert_null(wrong);
	}
	wait_until(count(&reclaimed->waiting) == 0, cof->flow);
	assert_int_equal(count(&reclaimed->freed), 1000 - 1 + 2 * (100 - 1));
	assert_true(ran > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(a_version_nobody_runs_goes_through_quarantine),
		T(freed_memory_is_used_again),
		T(sites_of_a_freed_version_are_forgotten),
		T(code_of_the_hosts_own_is_discarded_and_not_touched),
		T(code_that_sleeps_in_a_call_stays),
		T(code_that_waits_for_a_call_that_runs_stays),
		T(code_that_runs_stays),
		T(code_reached_through_slots_stays_while_anybody_sleeps),
		T(a_thread_that_does_not_answer_puts_it_off),
		T(a_stack_nobody_listed_puts_it_off),
		T(searches_in_vain_become_rare_until_there_is_news),
		T(once_disabled_nothing_is_freed_any_more),
		T(the_end_discards_what_is_left_once),
		T(a_record_outlives_its_code_until_all_have_turned),
		T(records_are_freed_even_if_code_is_not_any_more),
		T(garbage_is_work_for_a_round),
		T(code_is_freed_while_threads_run_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_scan.c - who is inside? Threads that run, sleep, or are on other stacks
 *
 * Ranges here are made up addresses: a thread is "inside" when such a word lies
 * on its stack.
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
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "balance.h"
#include "instance.h"
#include "patcher/scan.h"
#include "patcher/sleeper.h"
#include "role.h"
#include "sampler/threads.h"

#define MS      UINT64_C(1000000)
#define PATIENT (20000 * MS)	/* never reached unless something is wrong */
#define HIDDEN  UINT64_C(0x5555aaaa00000000)	/* so that only a test's own
						 * word is the one looked for */

static struct cof *cof;

/* -- Words ------------------------------------------------------------------ */

static struct cof_scan_range r[] = {
	{ .lo = 1000, .hi = 1100 }, { .lo = 1100, .hi = 1200 },
	{ .lo = 5000, .hi = 5001 }, { .lo = 9000, .hi = 9900 },
};

/* Bit i: range i was marked. */
static unsigned marks_of(uintptr_t word)
{
	uintptr_t words[3] = { 0, word, UINTPTR_MAX };
	struct cof_scan scan = { .range = r, .n = 4 };
	unsigned marks = 0;

	for (int i = 0; i < 4; i++)
		r[i].inside = false;
	cof_scan_words(&scan, words, words + 3);
	for (unsigned i = 0; i < 4; i++)
		marks |= (unsigned)r[i].inside << i;
	return marks;
}

static void a_word_marks_the_range_it_points_into(void **state)
{
	(void)state;
	assert_int_equal(marks_of(999), 0);
	assert_int_equal(marks_of(1000), 1);
	assert_int_equal(marks_of(1099), 1);
	assert_int_equal(marks_of(1101), 2);
	assert_int_equal(marks_of(3000), 0);
	assert_int_equal(marks_of(5000), 4);
	assert_int_equal(marks_of(9500), 8);
	assert_int_equal(marks_of(9901), 0);
}

static void a_return_address_behind_the_last_call_counts(void **state)
{
	(void)state;
	assert_int_equal(marks_of(1200), 2);
	assert_int_equal(marks_of(1100), 3);
	assert_int_equal(marks_of(9900), 8);
}

static void words_outside_the_given_part_do_not_count(void **state)
{
	uintptr_t words[4] = { 1000, 1, 2, 1000 };
	struct cof_scan scan = { .range = r, .n = 4 };

	(void)state;
	r[0].inside = false;
	cof_scan_words(&scan, words + 1, words + 3);
	assert_false(r[0].inside);
	cof_scan_words(&scan, words + 1, words + 1);
	assert_false(r[0].inside);
}

/* -- Sleepers' lines -------------------------------------------------------- */

static void a_line_of_a_system_call_is_understood(void **state)
{
	struct cof_sleeper s;

	(void)state;
	assert_true(cof_sleeper_parse("230 0x0 0x1 0x2 0x7fff32f593b0 0x4 0x0 "
				      "0x7fff32f59398 0x7f0d2c951503\n", &s));
	assert_true(s.sp == 0x7fff32f59398);
	assert_true(s.word[3] == 0x7fff32f593b0);
	assert_true(s.word[7] == 0x7f0d2c951503);
	assert_true(cof_sleeper_parse("0 0xffffffffffffffff 0x1 0x2 0x3 0x4 "
				      "0x5 0xabcdef 0x7\n", &s));
	assert_true(s.word[0] == UINT64_MAX && s.sp == 0xabcdef);
}

static void any_other_line_is_not(void **state)
{
	struct cof_sleeper s;

	(void)state;
	assert_false(cof_sleeper_parse("running\n", &s));
	assert_false(cof_sleeper_parse("-1 0x7fff32f59398 0x7f0d2c951503\n",
				       &s));
	assert_false(cof_sleeper_parse("", &s));
	assert_false(cof_sleeper_parse("230 0x0 0x1 0x2 0x3 0x4 0x5 0x6\n",
				       &s));
	assert_false(cof_sleeper_parse("230 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x\n",
				       &s));
	assert_false(cof_sleeper_parse("230 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 "
				       "0x8\n", &s));
}

/* -- Memory that is not there ----------------------------------------------- */

static void only_the_readable_top_of_a_stack_is_read(void **state)
{
	char *p = mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t lo = (uintptr_t)p, hi = lo + 64 * 4096;

	(void)state;
	assert_true(p != MAP_FAILED);
	assert_int_equal(cof_scan_readable(lo, hi), lo);
	assert_int_equal(cof_scan_readable(lo + 5, hi - 5), lo);
	for (unsigned page = 1; page < 64; page += 6) {
		assert_int_equal(mprotect(p, page * 4096, PROT_NONE), 0);
		assert_int_equal(cof_scan_readable(lo, hi), lo + page * 4096);
	}
	assert_int_equal(munmap(p, 64 * 4096), 0);
	assert_int_equal(cof_scan_readable(lo, hi), hi);
}

/* -- Threads ---------------------------------------------------------------- */

static int setup(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test" };

	(void)state;
	cof_role = COF_ROLE_PICKER;
	return cof_start(&host, "mode=off,stats=none,code_mb=16", NULL, &cof);
}

static int teardown(void **state)
{
	(void)state;
	cof_free(cof);
	return 0;
}

/* What the sampling handler does; SIGUSR1 stands for the sampling signal. */
static void handler(int sig, siginfo_t *info, void *ucontext)
{
	struct cof_thread *self = cof_self;

	(void)sig;
	(void)info;
	if (self)
		cof_scan_answer(cof_scan_of(self->cof), self, ucontext);
}

enum where { ASLEEP, SPINNING };

struct guest {
	pthread_t     thread;
	enum where    where;
	uintptr_t     word;	/* on its stack meanwhile */
	void         *fiber;	/* run there, 64 KiB, if not NULL */
	sem_t         start, there, go;
	_Atomic bool  leave;
	ucontext_t    main, other;
};

static void be_there(struct guest *g)
{
	volatile uintptr_t here = g->word ^ HIDDEN;

	here ^= HIDDEN;
	sem_post(&g->there);
	if (g->where == ASLEEP)
		sem_wait(&g->go);
	while (g->where == SPINNING && !g->leave)
		;
	here = 0;
}

static void on_fiber(unsigned hi, unsigned lo)
{
	be_there((struct guest *)((uintptr_t)hi << 32 | lo));
}

static void *guest(void *arg)
{
	struct guest *g = arg;
	uintptr_t a = (uintptr_t)g;

	sem_wait(&g->start);
	cof_thread_attach(cof, NULL, NULL);
	if (!g->fiber) {
		be_there(g);
	} else {
		getcontext(&g->other);
		g->other.uc_stack.ss_sp = g->fiber;
		g->other.uc_stack.ss_size = 65536;
		g->other.uc_link = &g->main;
		makecontext(&g->other, (void (*)(void))on_fiber, 2,
			    (unsigned)(a >> 32), (unsigned)a);
		swapcontext(&g->main, &g->other);
	}
	cof_thread_detach(cof);
	return NULL;
}

static void create(struct guest *g, void *(*run)(void *))
{
	g->leave = false;
	sem_init(&g->start, 0, 0);
	sem_init(&g->there, 0, 0);
	sem_init(&g->go, 0, 0);
	assert_int_equal(pthread_create(&g->thread, NULL, run, g), 0);
}

static void send(struct guest *g)
{
	sem_post(&g->start);
	sem_wait(&g->there);
}

static void begin(struct guest *g)
{
	create(g, guest);
	send(g);
}

static void end(struct guest *g)
{
	g->leave = true;
	sem_post(&g->go);
	pthread_join(g->thread, NULL);
}

/* Signals for the running guest, as its timer would send them. */
static _Atomic bool     quiet;
static struct guest    *kicked;

static void *kicker(void *arg)
{
	(void)arg;
	while (!quiet) {
		pthread_kill(kicked->thread, SIGUSR1);
		nap();
	}
	return NULL;
}

static bool run(struct cof_scan_range *range, uint32_t n, uint64_t wait_ns)
{
	return cof_scan_run(cof, range, n, wait_ns);
}

static bool run_kicked(struct guest *g, struct cof_scan_range *range,
		       uint32_t n)
{
	struct sigaction act = { .sa_sigaction = handler,
				 .sa_flags = SA_SIGINFO | SA_RESTART };
	pthread_t thread;
	bool ok;

	sigaction(SIGUSR1, &act, NULL);
	kicked = g;
	quiet = false;
	assert_int_equal(pthread_create(&thread, NULL, kicker, NULL), 0);
	ok = run(range, n, PATIENT);
	quiet = true;
	pthread_join(thread, NULL);
	return ok;
}

/*
 * Two neighbours that retire together; the guests are inside the second. Other
 * addresses every time: where a stack is searched as a whole, what former
 * threads left there counts too.
 */
static uintptr_t base = 0x500000000000;
#define IN  (base + 0x40)
#define OUT (base + 0x100)
static struct cof_scan_range *ranges(void)
{
	static struct cof_scan_range range[2];

	base += 0x10000;
	range[0] = (struct cof_scan_range){ .lo = base + 0x80,
					    .hi = base + 0xc0 };
	range[1] = (struct cof_scan_range){ .lo = base, .hi = base + 0x80 };
	return range;
}

static void without_threads_nobody_is_inside(void **state)
{
	struct cof_scan_range *range = ranges();

	(void)state;
	range[0].inside = true;
	assert_true(run(range, 2, 0));
	assert_false(range[0].inside || range[1].inside);
	assert_true(run(range, 0, 0));
}

static void a_sleeper_is_searched_without_being_woken(void **state)
{
	struct cof_scan_range *range = ranges();
	struct guest g = { .where = ASLEEP, .word = IN };

	(void)state;
	begin(&g);
	assert_true(run(range, 2, PATIENT));
	assert_true(range[1].inside);
	assert_false(range[0].inside);
	end(&g);
	g.word = OUT;
	begin(&g);
	assert_true(run(range, 2, PATIENT));
	assert_false(range[0].inside || range[1].inside);
	end(&g);
}

static void a_sleeper_counts_as_inside_what_is_reached_raw(void **state)
{
	struct cof_scan_range *range = ranges();
	struct guest g = { .where = ASLEEP, .word = OUT };

	(void)state;
	range[0].raw = true;
	begin(&g);
	assert_true(run(range, 2, PATIENT));
	assert_true(range[0].inside);
	assert_false(range[1].inside);
	end(&g);
	assert_true(run(range, 2, PATIENT));
	assert_false(range[0].inside);
}

static void a_running_thread_answers_in_its_handler(void **state)
{
	struct cof_scan_range *range = ranges();
	struct guest g = { .where = SPINNING, .word = IN };

	(void)state;
	range[0].raw = true;
	begin(&g);
	assert_true(run_kicked(&g, range, 2));
	assert_true(range[1].inside);
	assert_false(range[0].inside);
	end(&g);
	g.word = OUT;
	begin(&g);
	assert_true(run_kicked(&g, range, 2));
	assert_false(range[0].inside || range[1].inside);
	end(&g);
}

static void a_running_thread_that_gets_no_signal_does_not_answer(void **state)
{
	struct cof_scan_range *range = ranges();
	struct guest g = { .where = SPINNING };

	(void)state;
	begin(&g);
	assert_false(run(range, 2, 20 * MS));
	assert_false(cof_scan_of(cof)->foreign);
	end(&g);
	assert_true(run(range, 2, PATIENT));
}

static void *fiber(void)
{
	void *p = mmap(NULL, 65536, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(p != MAP_FAILED);
	return p;
}

static void a_stack_that_is_not_listed_ends_the_round(void **state)
{
	struct cof_scan_range *range = ranges();
	struct guest g = { .where = ASLEEP, .word = OUT, .fiber = fiber() };

	(void)state;
	for (int i = 0; i < 2; i++) {
		begin(&g);
		assert_false(g.where == ASLEEP ? run(range, 2, PATIENT) :
			     run_kicked(&g, range, 2));
		assert_true(cof_scan_of(cof)->foreign);
		end(&g);
		g.where = SPINNING;
	}
	munmap(g.fiber, 65536);
}

static void a_listed_stack_is_searched_and_so_is_the_threads_own(void **state)
{
	struct guest g = { .fiber = fiber() };
	char *top = (char *)g.fiber + 65536;

	(void)state;
	assert_int_equal(cof_stack_add(cof, g.fiber, top), 0);
	for (int i = 0; i < 4; i++) {
		struct cof_scan_range *range;

		g.where = i % 2 ? SPINNING : ASLEEP;
		create(&g, guest);	/* with our registers of now */
		range = ranges();
		g.word = i < 2 ? IN : OUT;
		send(&g);
		assert_true(g.where == ASLEEP ? run(range, 2, PATIENT) :
			    run_kicked(&g, range, 2));
		assert_int_equal(range[1].inside, g.word == IN);
		assert_false(range[0].inside);
		end(&g);
	}
	cof_stack_remove(cof, g.fiber);
	munmap(g.fiber, 65536);
}

/* The word is on the thread's own stack, below what runs on the fiber. */
static void *inside_then_on_fiber(void *arg)
{
	volatile uintptr_t here = IN ^ HIDDEN;

	here ^= HIDDEN;
	guest(arg);
	here = 0;
	return NULL;
}

static void what_runs_on_a_fiber_is_found_on_its_own_stack(void **state)
{
	struct guest g = { .fiber = fiber() };

	(void)state;
	assert_int_equal(cof_stack_add(cof, g.fiber, (char *)g.fiber + 65536),
			 0);
	for (int i = 0; i < 2; i++) {
		struct cof_scan_range *range = ranges();

		g.where = i ? SPINNING : ASLEEP;
		g.word = OUT;
		create(&g, inside_then_on_fiber);
		send(&g);
		assert_true(i ? run_kicked(&g, range, 2) :
			    run(range, 2, PATIENT));
		assert_true(range[1].inside);
		end(&g);
	}
	cof_stack_remove(cof, g.fiber);
	munmap(g.fiber, 65536);
}

/* Nobody runs there: a fiber that waits. Part of it may not even be mapped. */
static void a_stack_that_waits_is_searched_as_far_as_it_is_there(void **state)
{
	struct cof_scan_range *range = ranges();
	char *stack = fiber();
	uintptr_t *word = (uintptr_t *)(void *)(stack + 3 * 4096 - 8);

	(void)state;
	assert_int_equal(cof_stack_add(cof, stack, stack + 65536), 0);
	*word = IN;
	assert_int_equal(mprotect(stack, 4096, PROT_NONE), 0);
	assert_int_equal(mprotect(stack + 3 * 4096, 8 * 4096, PROT_NONE), 0);
	assert_true(run(range, 2, PATIENT));
	assert_true(range[1].inside);
	*word = 0;
	*(uintptr_t *)(void *)(stack + 65536 - 8) = range[0].lo + 16;
	assert_true(run(range, 2, PATIENT));
	assert_false(range[1].inside);
	assert_true(range[0].inside);
	munmap(stack, 65536);
	assert_true(run(range, 2, PATIENT));
	assert_false(range[0].inside);
	cof_stack_remove(cof, stack);
}

static void ranges_that_overlap_share_their_fate(void **state)
{
	struct cof_scan_range range[3] = {
		{ .lo = base + 0x30, .hi = base + 0x70 },
		{ .lo = base + 0x1000, .hi = base + 0x1040 },
		{ .lo = base, .hi = base + 0x38 },
	};
	struct guest g = { .where = ASLEEP, .word = IN };

	(void)state;
	begin(&g);
	assert_true(run(range, 3, PATIENT));
	assert_true(range[0].inside && range[2].inside);
	assert_false(range[1].inside);
	end(&g);
}

/* P/O must not touch what a handler reads: no round begins. */
static void a_handler_that_is_busy_is_not_disturbed(void **state)
{
	struct cof_scan_range *range = ranges();

	(void)state;
	cof_scan_of(cof)->busy = 1;
	assert_false(run(range, 2, PATIENT));
	cof_scan_of(cof)->busy = 0;
	assert_true(run(range, 2, PATIENT));
}

/* A handler that interrupted something with an empty stack. */
static uintptr_t             empty[64];
static struct cof_scan_range one = { .lo = 1, .hi = 2 };

static bool answer(struct cof_thread *self, const ucontext_t *uc)
{
	struct cof_scan *scan = cof_scan_of(cof);
	bool inside;

	scan->range = &one;
	scan->n = 1;
	one.inside = false;
	cof_scan_answer(scan, self, uc);
	assert_int_equal(scan->busy, 0);
	scan->range = NULL;
	inside = one.inside;
	return inside;
}

static struct cof_thread with_empty_stack(ucontext_t *uc)
{
	getcontext(uc);
	for (int i = 0; i <= REG_RIP; i++)
		uc->uc_mcontext.gregs[i] = 0;
	memset(uc->uc_mcontext.fpregs, 0, sizeof(*uc->uc_mcontext.fpregs));
	memset(empty, 0, sizeof(empty));
	uc->uc_mcontext.gregs[REG_RSP] = (greg_t)&empty[32];
	return (struct cof_thread){ .cof = cof,
				    .stack_lo = (uintptr_t)empty,
				    .stack_hi = (uintptr_t)(empty + 64) };
}

static void a_thread_answers_a_round_once(void **state)
{
	ucontext_t uc;
	struct cof_thread self = with_empty_stack(&uc);

	(void)state;
	uc.uc_mcontext.gregs[REG_R13] = 1;
	assert_false(answer(&self, &uc));	/* none is open */
	assert_int_equal(self.scanned, 0);
	cof_scan_of(cof)->round = 7;
	assert_true(answer(&self, &uc));
	assert_int_equal(self.scanned, 7);
	assert_false(answer(&self, &uc));
	cof_scan_of(cof)->round = 0;
}

static void every_register_and_the_red_zone_count(void **state)
{
	ucontext_t uc;
	struct cof_thread self = with_empty_stack(&uc);
	uintptr_t *xmm = (uintptr_t *)(void *)uc.uc_mcontext.fpregs->_xmm;
	uint64_t *round = (uint64_t *)&cof_scan_of(cof)->round;

	(void)state;
	*round = 1;
	assert_false(answer(&self, &uc));
	for (int i = 0; i <= REG_RIP; i++) {
		if (i == REG_RSP)
			continue;
		++*round;
		uc.uc_mcontext.gregs[i] = 1;
		assert_true(answer(&self, &uc));
		uc.uc_mcontext.gregs[i] = 0;
	}
	for (int i = 0; i < 32; i++) {
		++*round;
		xmm[i] = 1;
		assert_true(answer(&self, &uc));
		xmm[i] = 0;
	}
	for (int i = 0; i < 64; i++) {
		++*round;
		empty[i] = 1;
		assert_int_equal(answer(&self, &uc), i >= 16);
		empty[i] = 0;
	}
	*round = 0;
	assert_false(cof_scan_of(cof)->foreign);
}

static void a_hundred_sleepers_are_searched(void **state)
{
	enum { N = 100 };
	static struct guest g[N];
	struct cof_scan_range *range = ranges();

	(void)state;
	for (int i = 0; i < N; i++) {
		g[i] = (struct guest){ .where = ASLEEP,
				       .word = i == 77 ? IN : OUT };
		begin(&g[i]);
	}
	assert_true(run(range, 2, PATIENT));
	assert_true(range[1].inside);
	assert_false(range[0].inside);
	end(&g[77]);
	assert_true(run(range, 2, PATIENT));
	assert_false(range[1].inside);
	for (int i = 0; i < N; i++)
		if (i != 77)
			end(&g[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		cmocka_unit_test(a_word_marks_the_range_it_points_into),
		cmocka_unit_test(a_return_address_behind_the_last_call_counts),
		cmocka_unit_test(words_outside_the_given_part_do_not_count),
		cmocka_unit_test(a_line_of_a_system_call_is_understood),
		cmocka_unit_test(any_other_line_is_not),
		cmocka_unit_test(only_the_readable_top_of_a_stack_is_read),
		T(without_threads_nobody_is_inside),
		T(a_sleeper_is_searched_without_being_woken),
		T(a_sleeper_counts_as_inside_what_is_reached_raw),
		T(a_running_thread_answers_in_its_handler),
		T(a_running_thread_that_gets_no_signal_does_not_answer),
		T(a_stack_that_is_not_listed_ends_the_round),
		T(a_listed_stack_is_searched_and_so_is_the_threads_own),
		T(what_runs_on_a_fiber_is_found_on_its_own_stack),
		T(a_stack_that_waits_is_searched_as_far_as_it_is_there),
		T(ranges_that_overlap_share_their_fate),
		T(a_handler_that_is_busy_is_not_disturbed),
		T(a_thread_answers_a_round_once),
		T(every_register_and_the_red_zone_count),
		T(a_hundred_sleepers_are_searched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

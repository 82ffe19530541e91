/*
 * test_scan.c - which ranges threads are inside: threads that run or sleep
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/support/guest.h"
#include "tests/support/valgrind.h"

static void without_threads_no_range_is_marked(void **state)
{
	struct cof_scan_range *range = ranges();

	(void)state;
	range[0].inside = true;
	assert_true(run(range, 2, 0));
	assert_false(range[0].inside || range[1].inside);
	assert_true(run(range, 0, 0));
}

static void a_sleeping_thread_is_searched_without_being_woken(void **state)
{
	struct cof_scan_range *range = ranges();
	struct guest g = { .where = ASLEEP, .word = IN };

	(void)state;
	skip_under_valgrind();	/* sleeper */
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

static void a_sleeping_thread_counts_as_inside_raw_ranges(void **state)
{
	struct cof_scan_range *range = ranges();
	struct guest g = { .where = ASLEEP, .word = OUT };

	(void)state;
	skip_under_valgrind();	/* sleeper */
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
	skip_under_valgrind();	/* running */
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
	skip_under_valgrind();	/* running */
	begin(&g);
	assert_false(run(range, 2, 20 * MS));
	assert_false(cof_reclaim_scan(cof)->foreign);
	end(&g);
	assert_true(run(range, 2, PATIENT));
}

static void *tell_number(void *to)
{
	*(int *)to = (int)gettid();
	return NULL;
}

/* As one that ended by exit(2), while it was attached. */
static void a_thread_that_is_gone_is_not_waited_for(void **state)
{
	struct cof_scan_range *range = ranges();
	pthread_t thread;
	int tid = 0;

	(void)state;
	assert_int_equal(cof_thread_attach(cof, NULL, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, tell_number, &tid), 0);
	pthread_join(thread, NULL);
	cof_thread_self->tid = tid;
	assert_true(run(range, 2, PATIENT));
	assert_false(range[0].inside || range[1].inside);
	cof_thread_self->tid = (int)gettid();
	cof_thread_detach(cof);
}

static void ranges_that_overlap_are_marked_together(void **state)
{
	struct cof_scan_range range[3] = {
		{ .lo = base + 0x30, .hi = base + 0x70 },
		{ .lo = base + 0x1000, .hi = base + 0x1040 },
		{ .lo = base, .hi = base + 0x38 },
	};
	struct guest g = { .where = ASLEEP, .word = IN };

	(void)state;
	skip_under_valgrind();	/* sleeper */
	begin(&g);
	assert_true(run(range, 3, PATIENT));
	assert_true(range[0].inside && range[2].inside);
	assert_false(range[1].inside);
	end(&g);
}

/* P/O must not change what a handler reads, so no round begins. */
static void a_handler_that_is_busy_is_not_disturbed(void **state)
{
	struct cof_scan_range *range = ranges();

	(void)state;
	cof_reclaim_scan(cof)->busy = 1;
	assert_false(run(range, 2, PATIENT));
	cof_reclaim_scan(cof)->busy = 0;
	assert_true(run(range, 2, PATIENT));
}

/* A handler interrupted code whose stack holds zeros. */
static uintptr_t             empty[64];
static struct cof_scan_range one = { .lo = 1, .hi = 2 };

static bool answer(struct cof_thread *self, const ucontext_t *uc)
{
	struct cof_scan *scan = cof_reclaim_scan(cof);
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
	assert_false(answer(&self, &uc));	/* no round is open */
	assert_int_equal(self.scanned, 0);
	cof_reclaim_scan(cof)->round = 7;
	assert_true(answer(&self, &uc));
	assert_int_equal(self.scanned, 7);
	assert_false(answer(&self, &uc));
	cof_reclaim_scan(cof)->round = 0;
}

static void every_register_and_the_red_zone_count(void **state)
{
	ucontext_t uc;
	struct cof_thread self = with_empty_stack(&uc);
	uintptr_t *xmm = (uintptr_t *)(void *)uc.uc_mcontext.fpregs->_xmm;
	uint64_t *round = (uint64_t *)&cof_reclaim_scan(cof)->round;

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
	assert_false(cof_reclaim_scan(cof)->foreign);
}

static void a_hundred_sleeping_threads_are_searched(void **state)
{
	enum { N = 100 };
	static struct guest g[N];
	struct cof_scan_range *range = ranges();

	(void)state;
	skip_under_valgrind();	/* sleeper */
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

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(without_threads_no_range_is_marked),
		T(a_sleeping_thread_is_searched_without_being_woken),
		T(a_sleeping_thread_counts_as_inside_raw_ranges),
		T(a_running_thread_answers_in_its_handler),
		T(a_running_thread_that_gets_no_signal_does_not_answer),
		T(a_thread_that_is_gone_is_not_waited_for),
		T(ranges_that_overlap_are_marked_together),
		T(a_handler_that_is_busy_is_not_disturbed),
		T(a_thread_answers_a_round_once),
		T(every_register_and_the_red_zone_count),
		T(a_hundred_sleeping_threads_are_searched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_scan_stacks.c - which ranges threads on other stacks are inside
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mman.h>

#include "reclaim/reclaim.h"
#include "sampler/handler.h"
#include "tests/support/guest.h"
#include "tests/support/valgrind.h"

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
		assert_true(cof_reclaim_scan(cof)->foreign);
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
	skip_under_valgrind();	/* sleeper */
	assert_int_equal(cof_stack_add(cof, g.fiber, top), 0);
	for (int i = 0; i < 4; i++) {
		struct cof_scan_range *range;

		g.where = i % 2 ? SPINNING : ASLEEP;
		/* First, since a new thread inherits our registers. */
		create(&g, guest);
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

/* The word is on the thread's own stack, while a fiber runs. */
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
	skip_under_valgrind();	/* sleeper */
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

/* A fiber waits there, so no thread runs on it. Part of it is not mapped. */
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

/* What the sampling handler would see, with the stack pointer at `at`. */
static void signal_at(const void *at, void *alternate)
{
	siginfo_t info = { .si_signo = SIGPROF };
	ucontext_t uc = {
		.uc_stack = { .ss_sp = alternate, .ss_size = 65536,
			      .ss_flags = alternate ? 0 : SS_DISABLE },
	};

	uc.uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)at;
	atomic_store(&cof_thread_self->live, cof);
	cof_handler(SIGPROF, &info, &uc);
	atomic_store(&cof_thread_self->live, NULL);
	cof_reclaim_round(cof, 0);
}

static uint64_t disabled(void)
{
	return cof_count_get(&cof->flow->reclaim.disabled);
}

static void a_fiber_that_nobody_listed_ends_reclaim(void **state)
{
	char *stack = fiber();

	(void)state;
	cof_thread_attach(cof, NULL, NULL);
	signal_at(&stack, NULL);
	signal_at(stack + 100, stack);
	assert_int_equal(disabled(), 0);
	signal_at(stack + 100, NULL);
	assert_int_equal(disabled(), 1);
	cof_thread_detach(cof);
	munmap(stack, 65536);
}

static void a_host_that_lists_stacks_has_only_the_round_ended(void **state)
{
	char *stack = fiber();

	(void)state;
	cof_thread_attach(cof, NULL, NULL);
	assert_int_equal(cof_stack_add(cof, stack, stack + 4096), 0);
	signal_at(stack + 100, NULL);
	signal_at(stack + 5000, NULL);
	cof_stack_remove(cof, stack);
	signal_at(stack + 100, NULL);
	assert_int_equal(disabled(), 0);
	cof_thread_detach(cof);
	munmap(stack, 65536);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_stack_that_is_not_listed_ends_the_round),
		T(a_listed_stack_is_searched_and_so_is_the_threads_own),
		T(what_runs_on_a_fiber_is_found_on_its_own_stack),
		T(a_stack_that_waits_is_searched_as_far_as_it_is_there),
		T(a_fiber_that_nobody_listed_ends_reclaim),
		T(a_host_that_lists_stacks_has_only_the_round_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_reclaim.c - old code is freed, and its record later, each of them once
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "reclaim.h"
#include "stats/stats_file.h"
#include "tests/support/child.h"

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
	watched = code = (const unsigned char *)v->code.start;
	piece_add_return(cof, method, 2);
	assert_int_equal(round_of(), 1);
	assert_int_equal(v->state, COF_VERSION_QUARANTINE);
	for (unsigned i = 0; i < v->code.block.size_bytes; i++)
		assert_int_equal(code[i], 0xcc);
	assert_int_equal(cof_version_find(cof, code, &m, &number), 0);
	/* discard() came while the code was whole. */
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

/* It may be in the code, and nothing can be known of it. */
static void nothing_is_freed_before_a_thread_that_is_to_attach_has(void **state)
{
	(void)state;
	piece_add_return(cof, method, 1);
	piece_add_return(cof, method, 2);
	cof_thread_expect(cof, (int)gettid());
	one_search_of(1);
	assert_int_equal(count(&reclaimed->no_answer), 1);
	assert_int_equal(count(&reclaimed->freed), 0);

	assert_int_equal(cof_thread_attach(cof, NULL, NULL), 0);
	cof_thread_detach(cof);
	until_free();
	assert_int_equal(count(&reclaimed->freed), 1);
}

/* As the first thread does that calls pthread_exit(3) before. */
static void one_that_leaves_without_is_not_waited_for(void **state)
{
	(void)state;
	piece_add_return(cof, method, 1);
	piece_add_return(cof, method, 2);
	cof_thread_expect(cof, (int)gettid() + 1);
	cof_thread_detach(cof);
	one_search_of(1);
	assert_int_equal(count(&reclaimed->freed), 0);

	cof_thread_expect(cof, (int)gettid());
	cof_thread_detach(cof);
	until_free();
	assert_int_equal(count(&reclaimed->freed), 1);
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
	assert_non_null(method->code.sites);
	piece_add_return(cof, caller, 1);
	until_free();
	assert_null(method->code.sites);
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
	assert_string_equal(cof->stats_file->header->reclaim_off,
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

/* Pretend that SAM and PRE exist: reclaim looks at their turns only. */
static void pretend_threads(bool there)
{
	cof->sampler = there ? (struct cof_sampler *)cof : NULL;
	cof->predictor = there ? (struct cof_predictor *)cof : NULL;
}

static void turn(_Atomic uint64_t *turns, unsigned n)
{
	atomic_fetch_add(turns, n);
	cof->forecasts_turn = cof->pre_turns;	/* P/O emptied its queue */
	round_of();
}

/* A version's code is free, its record is not. */
static void free_one(void)
{
	pretend_threads(true);
	piece_add_return(cof, method, 1);
	piece_add_return(cof, method, 2);
	until_free();
}

static void a_record_outlives_its_code_until_all_have_turned(void **state)
{
	cof_count *versions = &cof->flow->memory.versions;

	(void)state;
	free_one();
	assert_true(cof_reclaim_has_work(cof));	/* P/O must not sleep yet */
	turn(&cof->pre_turns, 5);	/* SAM may still give it to PRE */
	turn(&cof->sam_turns, 1);
	assert_int_equal(count(versions), 2);
	turn(&cof->sam_turns, 1);
	turn(&cof->pre_turns, 1);
	assert_int_equal(count(versions), 2);
	atomic_fetch_add(&cof->pre_turns, 1);
	round_of();		/* PRE may have given it to P/O */
	assert_int_equal(count(versions), 2);
	assert_true(cof_reclaim_has_work(cof));
	turn(&cof->pre_turns, 0);
	assert_int_equal(count(versions), 1);
	assert_false(cof_reclaim_has_work(cof));
	pretend_threads(false);
}

/* In how many periods is the next round? */
static uint64_t due_in(void)
{
	return (cof_reclaim_due_ns(cof) / 1000000 + LONG_MS / 2) / LONG_MS;
}

/* Turns are made while the program runs. */
static void rounds_that_wait_for_turns_get_rare(void **state)
{
	uint64_t periods[4], retired;

	(void)state;
	free_one();
	cof->opts.reclaim_ms = LONG_MS;
	for (int i = 0; i < 4; i++) {
		round_of();
		periods[i] = due_in();
	}
	piece_add_return(cof, method, 3);
	retired = due_in();
	pretend_threads(false);
	for (int i = 1; i < 4; i++)
		assert_int_equal(periods[i], 2 * periods[i - 1]);
	assert_int_equal(retired, 1);
	cof->opts.reclaim_ms = 1;
	until_free();
	round_of();
	assert_int_equal(cof_reclaim_due_ns(cof), UINT64_MAX);
}

static void records_are_freed_even_if_code_is_not_any_more(void **state)
{
	cof_count *versions = &cof->flow->memory.versions;

	(void)state;
	free_one();
	piece_add_return(cof, method, 3);
	cof_reclaim_disable(cof, NULL);
	assert_true(cof_reclaim_has_work(cof));
	assert_int_equal(count(versions), 3);
	turn(&cof->sam_turns, 2);
	turn(&cof->pre_turns, 2);
	assert_int_equal(count(versions), 2);
	assert_int_equal(count(&reclaimed->waiting), 1);
	assert_false(cof_reclaim_has_work(cof));
	pretend_threads(false);
}

static int nobodys(void *ctx, const void *ip)
{
	(void)ctx, (void)ip;
	return 0;
}

/* Otherwise SAM would ask the host about late samples of the version. */
static void with_locate_a_version_stays_indexed_until_sam_turned(void **state)
{
	const struct cof_version *v;
	struct cof_method *m;
	unsigned number;

	(void)state;
	cof->host.locate = nobodys;
	pretend_threads(true);
	piece_add_return(cof, method, 1);
	v = method->current;
	piece_add_return(cof, method, 2);
	one_search();
	turn(&cof->sam_turns, 1);	/* one may have been under way */
	one_search();
	assert_int_equal(v->state, COF_VERSION_RETIRED);
	assert_int_equal(cof_version_find(cof, (void *)v->code.start, &m,
					  &number),
			 1);
	assert_int_equal(count(&reclaimed->in_use), 0);
	turn(&cof->sam_turns, 1);
	until_free();
	assert_int_equal(count(&reclaimed->freed), 1);
	pretend_threads(false);
}

/* The garbage is the index's. */
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

/*
 * A thread has answered a round if it has the round's number. The thread that
 * forked has one of the parent's.
 */
static void rounds_of_a_child_have_numbers_of_their_own(void **state)
{
	struct cof_scan_range range = { .lo = 4096, .hi = 8192 };
	uint64_t last;
	pid_t pid;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_true(cof_scan_round(cof, cof_reclaim_scan(cof), &range,
					   1, 0));
	last = cof_reclaim_scan(cof)->last;
	assert_true(last > 0);
	pid = fork();
	if (pid == 0) {
		if (cof_reclaim_in_child(cof) != 0)
			_exit(1);
		cof_scan_round(cof, cof_reclaim_scan(cof), &range, 1, 0);
		_exit(cof_reclaim_scan(cof)->last > last ? 7 : 2);
	}
	assert_int_equal(exit_of(pid), 7);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_version_nobody_runs_goes_through_quarantine),
		T(freed_memory_is_used_again),
		T(nothing_is_freed_before_a_thread_that_is_to_attach_has),
		T(one_that_leaves_without_is_not_waited_for),
		T(sites_of_a_freed_version_are_forgotten),
		T(code_of_the_hosts_own_is_discarded_and_not_touched),
		T(once_disabled_nothing_is_freed_any_more),
		T(the_end_discards_what_is_left_once),
		T(a_record_outlives_its_code_until_all_have_turned),
		T(rounds_that_wait_for_turns_get_rare),
		T(records_are_freed_even_if_code_is_not_any_more),
		T(with_locate_a_version_stays_indexed_until_sam_turned),
		T(garbage_is_work_for_a_round),
		T(rounds_of_a_child_have_numbers_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

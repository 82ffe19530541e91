/*
 * test_jitinfo.c - addresses lead to their version, whoever comes and goes
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <urcu/urcu-bp.h>

#include "cof.h"
#include "flow.h"
#include "jitinfo.h"
#include "mem.h"
#include "version.h"

#define BASE ((uintptr_t)0x7f1234567000)	/* a page */
#define PAGE ((uintptr_t)4096)
#define MANY 512u

static struct cof_jitinfo *ix;
static struct cof_version  v[MANY];

static int setup(void **state)
{
	(void)state;
	memset(v, 0, sizeof(v));
	ix = cof_jitinfo_new();
	return ix ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	cof_jitinfo_free(ix);
	return 0;
}

static int add(struct cof_version *version, uintptr_t start, uintptr_t end)
{
	version->start = start;
	version->end = end;
	return cof_jitinfo_add(ix, version);
}

static void check_edges(struct cof_version *version)
{
	assert_ptr_equal(cof_jitinfo_find(ix, version->start), version);
	assert_ptr_equal(cof_jitinfo_find(ix, version->end - 1), version);
	assert_ptr_not_equal(cof_jitinfo_find(ix, version->start - 1), version);
	assert_ptr_not_equal(cof_jitinfo_find(ix, version->end), version);
}

static void an_empty_index_finds_nothing(void **state)
{
	(void)state;
	assert_null(cof_jitinfo_find(ix, 0));
	assert_null(cof_jitinfo_find(ix, BASE));
	assert_null(cof_jitinfo_find(ix, UINTPTR_MAX));
}

static void a_version_is_found_from_its_first_to_its_last_byte(void **state)
{
	(void)state;
	assert_int_equal(add(&v[0], BASE + 100, BASE + 300), 0);
	check_edges(&v[0]);
	assert_null(cof_jitinfo_find(ix, BASE + 99));
	assert_null(cof_jitinfo_find(ix, BASE + 300));
	assert_null(cof_jitinfo_find(ix, BASE + 100 + ((uintptr_t)1 << 24)));
	assert_null(cof_jitinfo_find(ix, BASE + 100 - ((uintptr_t)1 << 36)));
}

static void versions_in_one_page_are_told_apart(void **state)
{
	(void)state;
	/* Added in no order; the one at 500 touches that at 400. */
	assert_int_equal(add(&v[0], BASE + 400, BASE + 500), 0);
	assert_int_equal(add(&v[1], BASE + 0, BASE + 1), 0);
	assert_int_equal(add(&v[2], BASE + 500, BASE + 600), 0);
	assert_int_equal(add(&v[3], BASE + 4000, BASE + 4096), 0);
	assert_int_equal(add(&v[4], BASE + 100, BASE + 200), 0);
	for (int i = 0; i < 5; i++)
		check_edges(&v[i]);
	assert_null(cof_jitinfo_find(ix, BASE + 50));
	assert_null(cof_jitinfo_find(ix, BASE + 700));
}

static void a_large_version_shares_its_first_and_last_page(void **state)
{
	uintptr_t end = BASE + 256 * PAGE + 700;

	(void)state;
	assert_int_equal(add(&v[0], BASE + 100, BASE + 200), 0);
	assert_int_equal(add(&v[1], end, end + 50), 0);
	assert_int_equal(add(&v[2], BASE + 200, end), 0);
	for (int i = 0; i < 3; i++)
		check_edges(&v[i]);
	for (uintptr_t at = BASE + 200; at < end; at += 1000)
		assert_ptr_equal(cof_jitinfo_find(ix, at), &v[2]);
	cof_jitinfo_remove(ix, &v[2]);
	for (uintptr_t at = BASE + 200; at < end; at += 1000)
		assert_null(cof_jitinfo_find(ix, at));
	check_edges(&v[0]);
	check_edges(&v[1]);
	assert_int_equal(add(&v[2], BASE + 200, end), 0);
	check_edges(&v[2]);
}

static void a_range_across_tables_is_found(void **state)
{
	uintptr_t edge16m = (BASE >> 24) << 24, edge64g = (BASE >> 36) << 36;

	(void)state;
	assert_int_equal(add(&v[0], edge16m - 5000, edge16m + 5000), 0);
	assert_int_equal(add(&v[1], edge64g - 5000, edge64g + 5000), 0);
	check_edges(&v[0]);
	check_edges(&v[1]);
	assert_ptr_equal(cof_jitinfo_find(ix, edge16m), &v[0]);
	assert_ptr_equal(cof_jitinfo_find(ix, edge64g - 1), &v[1]);
}

static void an_overlapping_range_is_refused_and_changes_nothing(void **state)
{
	static const struct { long lo, hi; } bad[] = {
		{ 10000, 20000 },	/* the same */
		{ 9000, 10001 }, { 19999, 30000 },
		{ 12000, 12001 }, { 5000, 40000 }, { 10000, 10001 },
	};

	(void)state;
	assert_int_equal(add(&v[0], BASE + 10000, BASE + 20000), 0);
	assert_int_equal(add(&v[1], BASE + 9000, BASE + 9100), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(add(&v[2], BASE + (uintptr_t)bad[i].lo,
				     BASE + (uintptr_t)bad[i].hi),
				 -COF_E_INVAL);
	for (uintptr_t at = BASE; at < BASE + 45000; at++) {
		struct cof_version *found = cof_jitinfo_find(ix, at);

		assert_ptr_not_equal(found, &v[2]);
		assert_true((found == &v[0]) == (at >= v[0].start &&
						 at < v[0].end));
	}
	assert_int_equal(add(&v[2], BASE + 9100, BASE + 10000), 0);
	assert_int_equal(add(&v[3], BASE + 20000, BASE + 20001), 0);
}

static void an_empty_or_impossible_range_is_refused(void **state)
{
	(void)state;
	assert_int_equal(add(&v[0], BASE, BASE), -COF_E_INVAL);
	assert_int_equal(add(&v[0], BASE + 2, BASE + 1), -COF_E_INVAL);
	assert_int_equal(add(&v[0], ((uintptr_t)1 << 48) - 1,
			     ((uintptr_t)1 << 48) + 1), -COF_E_INVAL);
	assert_int_equal(add(&v[0], ((uintptr_t)1 << 48) - 1,
			     (uintptr_t)1 << 48), 0);
	assert_ptr_equal(cof_jitinfo_find(ix, ((uintptr_t)1 << 48) - 1), &v[0]);
	assert_null(cof_jitinfo_find(ix, (uintptr_t)1 << 48));
}

static void what_is_removed_makes_room_for_another(void **state)
{
	(void)state;
	for (uintptr_t i = 0; i < 4; i++)
		assert_int_equal(add(&v[i], BASE + 100 * i,
				     BASE + 100 * i + 100), 0);
	cof_jitinfo_remove(ix, &v[1]);
	cof_jitinfo_remove(ix, &v[2]);
	assert_null(cof_jitinfo_find(ix, BASE + 150));
	assert_null(cof_jitinfo_find(ix, BASE + 250));
	check_edges(&v[0]);
	check_edges(&v[3]);
	assert_int_equal(add(&v[4], BASE + 120, BASE + 280), 0);
	check_edges(&v[4]);
	cof_jitinfo_remove(ix, &v[0]);
	cof_jitinfo_remove(ix, &v[3]);
	cof_jitinfo_remove(ix, &v[4]);
	for (uintptr_t at = BASE; at < BASE + 400; at++)
		assert_null(cof_jitinfo_find(ix, at));
	assert_int_equal(add(&v[5], BASE, BASE + PAGE), 0);
	check_edges(&v[5]);
}

/* Which of v[0..n) a plain list says holds the address. */
static struct cof_version *model_find(const bool *in, uint32_t n,
				      uintptr_t address)
{
	for (uint32_t i = 0; i < n; i++)
		if (in[i] && v[i].start <= address && address < v[i].end)
			return &v[i];
	return NULL;
}

static void it_agrees_with_a_plain_list_at_random(void **state)
{
	const uint32_t n = 200;
	bool in[200] = { false };
	uint32_t added = 0;

	(void)state;
	srand(7);
	for (int round = 0; round < 20000; round++) {
		uint32_t i = (uint32_t)rand() % n;
		uintptr_t lo = BASE + (uintptr_t)rand() % (40 * PAGE);
		uintptr_t hi = lo + 1 + (uintptr_t)rand() %
			       (rand() % 20 ? 300 : 5 * PAGE);

		if (in[i]) {
			cof_jitinfo_remove(ix, &v[i]);
			in[i] = false;
		} else {
			bool clear = true;

			for (uint32_t k = 0; k < n; k++)
				clear &= !in[k] || v[k].end <= lo ||
					 hi <= v[k].start;
			in[i] = add(&v[i], lo, hi) == 0;
			assert_int_equal(in[i], clear);
			added += clear;
		}
		for (int k = 0; k < 5; k++) {
			uintptr_t at = BASE + (uintptr_t)rand() % (46 * PAGE);

			assert_ptr_equal(cof_jitinfo_find(ix, at),
					 model_find(in, n, at));
		}
	}
	assert_true(added > 3000);
}

/* -- Garbage --------------------------------------------------------------- */

/* Two in a page: each time the second comes or goes a node is left over. */
static void make_garbage(int rounds)
{
	for (int i = 0; i < rounds; i++) {
		assert_int_equal(add(&v[1], BASE + 200, BASE + 300), 0);
		assert_int_equal(add(&v[2], BASE + 400, BASE + 500), 0);
		cof_jitinfo_remove(ix, &v[1]);
		cof_jitinfo_remove(ix, &v[2]);
	}
}

static void what_was_taken_out_is_kept_until_it_is_collected(void **state)
{
	static struct cof_flow_memory memory;
	uint64_t before;

	(void)state;
	cof_mem_account(&memory);
	assert_int_equal(add(&v[0], BASE, BASE + 100), 0);
	make_garbage(1);
	cof_jitinfo_collect(ix);
	before = cof_count_get(&memory.own_blocks);
	assert_false(cof_jitinfo_is_full(ix));
	make_garbage(10000);
	assert_true(cof_jitinfo_is_full(ix));
	assert_true(cof_count_get(&memory.own_blocks) >= before + 10000);
	cof_jitinfo_collect(ix);
	assert_false(cof_jitinfo_is_full(ix));
	assert_int_equal(cof_count_get(&memory.own_blocks), before);
	cof_jitinfo_collect(ix);
	check_edges(&v[0]);
	cof_mem_unaccount(&memory);
	make_garbage(10);		/* freed with the index */
}

/*
 * A thread of the program's that is in a read section of its own, and makes a
 * first call there.
 */
static void a_program_in_its_own_read_section_may_add_and_remove(void **state)
{
	(void)state;
	alarm(60);	/* it would wait for itself */
	urcu_bp_read_lock();
	assert_int_equal(add(&v[0], BASE, BASE + 100), 0);
	make_garbage(10000);
	urcu_bp_read_unlock();
	alarm(0);
	assert_true(cof_jitinfo_is_full(ix));
}

static void an_index_is_freed_without_waiting(void **state)
{
	(void)state;
	alarm(60);
	make_garbage(300);
	urcu_bp_read_lock();
	cof_jitinfo_free(ix);
	urcu_bp_read_unlock();
	alarm(0);
	setup(NULL);
}

/* -- One writer, one reader ------------------------------------------------ */

static _Atomic bool     stop;
static _Atomic uint32_t ready;

/* Where v[i] is, if it is: 40 bytes, 20 of them to a page. */
static uintptr_t place(uint32_t i)
{
	return BASE + 200 * i;
}

/* Even ones stay for ever; odd ones come and go. Returns what went wrong. */
static void *read_in_a_loop(void *arg)
{
	uintptr_t wrong = 0;

	(void)arg;
	cof_jitinfo_reader_enter();
	atomic_store(&ready, 1);
	while (!atomic_load(&stop)) {
		for (uint32_t i = 0; i < MANY; i++) {
			struct cof_version *found =
				cof_jitinfo_find(ix, place(i) + 39);

			wrong += found != &v[i] && (found || i % 2 == 0);
		}
		cof_jitinfo_reader_quiet();
	}
	cof_jitinfo_reader_leave();
	return (void *)wrong;
}

static void start_reader(pthread_t *reader)
{
	/* A range is constant from now on, since the reader may be late. */
	for (uint32_t i = 0; i < MANY; i++) {
		v[i].start = place(i);
		v[i].end = place(i) + 40;
	}
	for (uint32_t i = 0; i < MANY; i += 2)
		assert_int_equal(cof_jitinfo_add(ix, &v[i]), 0);
	atomic_store(&stop, false);
	atomic_store(&ready, 0);
	assert_int_equal(pthread_create(reader, NULL, read_in_a_loop, NULL), 0);
	while (!atomic_load(&ready))
		sched_yield();
}

static void stop_reader(pthread_t reader)
{
	void *wrong;

	atomic_store(&stop, true);
	pthread_join(reader, &wrong);
	assert_null(wrong);
}

static void add_and_remove_odd_ones(int rounds)
{
	for (int round = 0; round < rounds; round++) {
		for (uint32_t i = 1; i < MANY; i += 2)
			assert_int_equal(cof_jitinfo_add(ix, &v[i]), 0);
		for (uint32_t i = 1; i < MANY; i += 2)
			cof_jitinfo_remove(ix, &v[i]);
	}
}

static void a_reader_never_misses_what_stays_nor_finds_what_is_not(void **state)
{
	pthread_t reader;

	(void)state;
	start_reader(&reader);
	add_and_remove_odd_ones(100);
	stop_reader(reader);
}

static void *collect_in_a_loop(void *arg)
{
	uintptr_t times = 0;

	(void)arg;
	while (!atomic_load(&stop)) {
		times += cof_jitinfo_is_full(ix);
		cof_jitinfo_collect(ix);
	}
	return (void *)times;
}

static void a_reader_never_reads_what_is_collected(void **state)
{
	pthread_t reader, collector;

	(void)state;
	start_reader(&reader);
	assert_int_equal(pthread_create(&collector, NULL, collect_in_a_loop,
					NULL), 0);
	add_and_remove_odd_ones(100);
	stop_reader(reader);
	pthread_join(collector, NULL);
}

static void the_child_of_a_fork_goes_on_without_the_readers(void **state)
{
	int status = -1, bad = 0;
	pthread_t reader;

	(void)state;
	start_reader(&reader);
	for (int i = 0; i < 20; i++) {
		pid_t child;

		cof_jitinfo_fork_prepare();
		child = fork();
		if (child == 0) {
			cof_jitinfo_fork_child();
			alarm(30);	/* a lost reader would be waited for */
			add_and_remove_odd_ones(10);
			cof_jitinfo_collect(ix);
			_exit(cof_jitinfo_find(ix, place(2)) == &v[2] ? 0 : 1);
		}
		cof_jitinfo_fork_parent();
		add_and_remove_odd_ones(1);
		cof_jitinfo_collect(ix);
		bad += child < 0 || waitpid(child, &status, 0) != child ||
		       status != 0;
	}
	stop_reader(reader);
	assert_int_equal(bad, 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(an_empty_index_finds_nothing),
		T(a_version_is_found_from_its_first_to_its_last_byte),
		T(versions_in_one_page_are_told_apart),
		T(a_large_version_shares_its_first_and_last_page),
		T(a_range_across_tables_is_found),
		T(an_overlapping_range_is_refused_and_changes_nothing),
		T(an_empty_or_impossible_range_is_refused),
		T(what_is_removed_makes_room_for_another),
		T(it_agrees_with_a_plain_list_at_random),
		T(what_was_taken_out_is_kept_until_it_is_collected),
		T(a_program_in_its_own_read_section_may_add_and_remove),
		T(an_index_is_freed_without_waiting),
		T(a_reader_never_misses_what_stays_nor_finds_what_is_not),
		T(a_reader_never_reads_what_is_collected),
		T(the_child_of_a_fork_goes_on_without_the_readers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

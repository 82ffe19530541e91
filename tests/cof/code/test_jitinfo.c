/*
 * test_jitinfo.c - addresses lead to their version, and removed nodes are freed
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>
#include <urcu/urcu-bp.h>

#include "base/flow.h"
#include "indexed.h"
#include "memory/mem.h"

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
	/* Added in no order; the range at 500 touches the one at 400. */
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
		assert_true((found == &v[0]) == (at >= v[0].code.start &&
						 at < v[0].code.end));
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

/* Which of v[0..n) holds the address, by a plain list? */
static struct cof_version *model_find(const bool *in, uint32_t n,
				      uintptr_t address)
{
	for (uint32_t i = 0; i < n; i++)
		if (in[i] && v[i].code.start <= address &&
		    address < v[i].code.end)
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
				clear &= !in[k] || v[k].code.end <= lo ||
					 hi <= v[k].code.start;
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

/* Two in a page: a node is left over each time the second comes or goes. */
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
 * As a thread of the program's that makes a first call in a read section of its
 * own.
 */
static void a_program_in_its_own_read_section_may_add_and_remove(void **state)
{
	(void)state;
	alarm(120);	/* it would wait for itself */
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
	alarm(120);
	make_garbage(300);
	urcu_bp_read_lock();
	cof_jitinfo_free(ix);
	urcu_bp_read_unlock();
	alarm(0);
	setup(NULL);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

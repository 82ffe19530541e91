/*
 * test_slot.c - slots follow, and values that the host stores stay
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "instance.h"
#include "tests/support/piece.h"

static struct cof        *cof;
static struct cof_method *method;
static char               hosts_own;

static int setup(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test" };

	(void)state;
	if (cof_start(&host, "mode=off,stats=none,code_mb=16", NULL, &cof) != 0)
		return -1;
	return cof_method_add(cof, "m", NULL, &method);
}

static int teardown(void **state)
{
	(void)state;
	cof_free(cof);
	return 0;
}

static uint64_t moved(void)
{
	return cof_count_get(&cof->flow->patcher.slot_moved);
}

static void a_slot_holds_the_stub_and_then_every_entry(void **state)
{
	void *word = NULL, *late = NULL;

	(void)state;
	assert_int_equal(cof_slot_add(method, &word), 0);
	assert_ptr_equal(word, cof_method_stub(method));
	for (int i = 0; i < 5; i++) {
		piece_add_return(cof, method, i);
		assert_ptr_equal(word, cof_method_entry(method));
		assert_int_equal(piece_run(word), i);
	}
	assert_int_equal(cof_slot_add(method, &late), 0);
	assert_ptr_equal(late, word);
	assert_int_equal(moved(), 0);
}

static void a_slot_the_host_changed_is_the_hosts_for_good(void **state)
{
	void *word = NULL, *other = NULL, *ours;

	(void)state;
	assert_int_equal(cof_slot_add(method, &word), 0);
	assert_int_equal(cof_slot_add(method, &other), 0);
	piece_add_return(cof, method, 1);
	ours = word;
	word = &hosts_own;
	piece_add_return(cof, method, 2);
	assert_ptr_equal(word, &hosts_own);
	assert_ptr_equal(other, cof_method_entry(method));
	assert_int_equal(moved(), 1);
	word = ours;	/* libcof's value, but the host stored it */
	piece_add_return(cof, method, 3);
	assert_ptr_equal(word, ours);
	assert_int_equal(moved(), 1);
}

static void a_removed_slot_is_left_with_an_address_that_stays_good(void **state)
{
	void *word = NULL, *theirs = NULL, *third = NULL;

	(void)state;
	assert_int_equal(cof_slot_add(method, &third), 0);
	assert_int_equal(cof_slot_add(method, &word), 0);
	assert_int_equal(cof_slot_add(method, &theirs), 0);
	piece_add_return(cof, method, 1);
	cof_slot_remove(method, &word);
	assert_ptr_equal(word, cof_method_stub(method));
	theirs = &hosts_own;
	cof_slot_remove(method, &theirs);
	assert_ptr_equal(theirs, &hosts_own);
	cof_slot_remove(method, &theirs);	/* it is none: nothing */
	piece_add_return(cof, method, 2);
	assert_ptr_equal(word, cof_method_stub(method));
	assert_ptr_equal(third, cof_method_entry(method));
}

static void slots_make_a_methods_reach_raw(void **state)
{
	void *word = NULL;

	(void)state;
	assert_false(method->code.raw_reach);
	assert_int_equal(cof_slot_add(method, &word), 0);
	assert_true(method->code.raw_reach);
}

static void handing_out_an_entry_makes_it_raw_too(void **state)
{
	(void)state;
	cof_method_stub(method);
	assert_false(method->code.raw_reach);
	cof_method_entry(method);
	assert_true(method->code.raw_reach);
}

static void words_that_cannot_be_slots_are_refused(void **state)
{
	void *words[2];

	(void)state;
	assert_int_equal(cof_slot_add(NULL, words), -COF_E_INVAL);
	assert_int_equal(cof_slot_add(method, NULL), -COF_E_INVAL);
	assert_int_equal(cof_slot_add(method, (void **)(void *)
				      ((char *)words + 1)), -COF_E_INVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(a_slot_holds_the_stub_and_then_every_entry),
		T(a_slot_the_host_changed_is_the_hosts_for_good),
		T(a_removed_slot_is_left_with_an_address_that_stays_good),
		T(slots_make_a_methods_reach_raw),
		T(handing_out_an_entry_makes_it_raw_too),
		T(words_that_cannot_be_slots_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

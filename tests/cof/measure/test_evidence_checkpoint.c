/*
 * test_evidence_checkpoint.c - what was seen since a phase may have ended is forgotten
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/evidence_checkpoint.h"

static struct cof_evidence_checkpoint   noted;
static struct cof_evidence evidence;

static int setup(void **state)
{
	(void)state;
	noted = (struct cof_evidence_checkpoint){ .young_at = 100 };
	evidence = (struct cof_evidence){ 0 };
	return 0;
}

/* A block in each of the windows `from` to `to`. */
static void see(uint64_t from, uint64_t to)
{
	const struct cof_slice slice = { .inside = 5, .outside = 5 };

	for (uint64_t w = from; w <= to; w++) {
		cof_evidence_add(&evidence, &slice, &slice);
		cof_evidence_checkpoint_note(&noted, &evidence, w);
	}
}

static void the_latest_two_windows_are_forgotten_at_least(void **state)
{
	(void)state;
	for (uint64_t last = 101; last < 120; last++) {
		setup(state);
		see(101, last);
		cof_evidence_checkpoint_back(&noted, &evidence);
		assert_true(evidence.odds.n + 2 <= last - 100 ||
			    evidence.odds.n == 0);
		/* And no more than four. */
		assert_true(evidence.odds.n + 4 >= last - 100);
	}
}

static void what_is_forgotten_stays_so(void **state)
{
	uint32_t n;

	(void)state;
	see(101, 110);
	cof_evidence_checkpoint_back(&noted, &evidence);
	n = evidence.odds.n;
	assert_in_range(n, 6, 8);
	/* The phase returns, and ends at once. */
	see(150, 150);
	cof_evidence_checkpoint_back(&noted, &evidence);
	assert_int_equal(evidence.odds.n, n);
	/* It returns, and lasts. */
	see(200, 210);
	cof_evidence_checkpoint_back(&noted, &evidence);
	assert_in_range(evidence.odds.n, n + 6, n + 9);
}

static void what_the_trial_forgot_does_not_come_back(void **state)
{
	(void)state;
	see(101, 110);
	evidence = (struct cof_evidence){ 0 };
	see(111, 111);
	cof_evidence_checkpoint_back(&noted, &evidence);
	assert_int_equal(evidence.odds.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			the_latest_two_windows_are_forgotten_at_least, setup),
		cmocka_unit_test_setup(what_is_forgotten_stays_so, setup),
		cmocka_unit_test_setup(
			what_the_trial_forgot_does_not_come_back, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

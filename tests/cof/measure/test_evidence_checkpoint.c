/*
 * test_evidence_checkpoint.c - evidence since a phase may have ended is dropped
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/evidence_checkpoint.h"

static struct cof_evidence_checkpoint checkpoint;
static struct cof_evidence            evidence;

static int setup(void **state)
{
	(void)state;
	checkpoint = (struct cof_evidence_checkpoint){ .young_at = 100 };
	evidence = (struct cof_evidence){ 0 };
	return 0;
}

/* Add a block in each of the windows `from` to `to`. */
static void see(uint64_t from, uint64_t to)
{
	const struct cof_slice slice = { .inside = 5, .outside = 5 };

	for (uint64_t w = from; w <= to; w++) {
		cof_evidence_add(&evidence, &slice, &slice);
		cof_evidence_checkpoint_note(&checkpoint, &evidence, w);
	}
}

static void at_least_the_latest_two_windows_are_dropped(void **state)
{
	(void)state;
	for (uint64_t last = 101; last < 120; last++) {
		setup(state);
		see(101, last);
		cof_evidence_checkpoint_restore(&checkpoint, &evidence);
		assert_true(evidence.odds.n + 2 <= last - 100 ||
			    evidence.odds.n == 0);
		/* And no more than four. */
		assert_true(evidence.odds.n + 4 >= last - 100);
	}
}

static void what_was_dropped_stays_so(void **state)
{
	uint32_t n;

	(void)state;
	see(101, 110);
	cof_evidence_checkpoint_restore(&checkpoint, &evidence);
	n = evidence.odds.n;
	assert_in_range(n, 6, 8);
	/* The phase returns, and ends at once. */
	see(150, 150);
	cof_evidence_checkpoint_restore(&checkpoint, &evidence);
	assert_int_equal(evidence.odds.n, n);
	/* It returns, and lasts. */
	see(200, 210);
	cof_evidence_checkpoint_restore(&checkpoint, &evidence);
	assert_in_range(evidence.odds.n, n + 6, n + 9);
}

static void what_the_trial_dropped_does_not_come_back(void **state)
{
	(void)state;
	see(101, 110);
	evidence = (struct cof_evidence){ 0 };
	see(111, 111);
	cof_evidence_checkpoint_restore(&checkpoint, &evidence);
	assert_int_equal(evidence.odds.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			at_least_the_latest_two_windows_are_dropped, setup),
		cmocka_unit_test_setup(what_was_dropped_stays_so, setup),
		cmocka_unit_test_setup(
			what_the_trial_dropped_does_not_come_back, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

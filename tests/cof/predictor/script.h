/*
 * script.h - run PRE by the scripts of tests/data
 *
 *	# ...                          a comment
 *	set OPTION VALUE               hit_weight or similar_permille
 *	gen [xN] METHOD:SAMPLES ...    N generations, each with these samples;
 *	                               METHOD/a: in its first half, /b: second
 *	noisy N METHOD:SHARE ...       N generations of 50 samples, drawn
 *	settle METHOD ...              P/O marks it settled
 *	unsettle METHOD ...
 *	replace METHOD                 a new version; the one before is dead
 *	expect phase | no phase        a phase began in the last generation
 *	expect list heavy|climb        the list of the forecasts
 *	expect similarity LO HI        permille
 *	expect forecast METHOD ...     exactly these, in this order
 *	expect weight METHOD W
 *	expect hits N                  in the hit list
 *	expect changes N               phase changes so far
 *	expect in ID                   the phase it is in; 0: between phases
 *	expect begun|returned|known|noise N
 *	                               a counter of cof/base/flow.def
 *	expect row ID new|back         of the latest phase row
 *
 * The test plays SAM and P/O: it adds samples to the words, pushes versions to
 * the touched ring and takes forecasts off the other. It checks the balance of
 * the counters after each generation.
 */
#pragma once

/* For cmocka: PRE without any other thread. */
int script_setup(void **state);
int script_teardown(void **state);

/* Run tests/data/NAME; an expectation that is not met fails the test. */
void script_replay(const char *name);

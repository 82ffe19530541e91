/*
 * test_loop_turns.c - turns of loops against turns, on the test's own clock
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/units.h"
#include "optimizer/osr/loop_turns.h"
#include "options/tuning.h"

#define ERROR  0.01
#define MOST   (60 * COF_S_NS)
#define LOOKS  1000000

enum { A, B };

/* A program that is always in one loop. */
static struct {
	double   turn_ns[2];	/* on either side */
	double   again_ns[2];	/* the same in every other phase; 0: as ever */
	uint64_t phase_ns;
	uint64_t late_ns;	/* a frame follows so much later */
	double   noise;		/* part of the turns, evenly, of a slice */
	bool     idle;
	unsigned threads;

	bool     in_b, to_b;
	uint64_t left_ns;	/* until it is where it is led */
	bool     whole;		/* it is there when its turn ends */
	double   part;		/* of that turn, so far */
	double   turns[2];
} program;
static struct cof_loop_turns turns;
static struct cof_loop_look look;
static struct cof_measure measure;
static uint64_t state;

static double uniform(void)
{
	return (double)(cof_random_next(&state) >> 11) * 0x1p-53;
}

static int setup(void **unused)
{
	(void)unused;
	memset(&program, 0, sizeof(program));
	memset(&look, 0, sizeof(look));
	state = 1;
	program.phase_ns = UINT64_MAX;
	program.threads = 1;
	return 0;
}

/* Turns begin and end on one side. */
static void run_whole(double ns)
{
	while (ns > 0) {
		double turn = program.turn_ns[program.in_b];
		double rest = (1 - program.part) * turn;

		if (rest > ns) {
			program.part += ns / turn;
			return;
		}
		ns -= rest;
		program.turns[program.in_b]++;
		program.part = 0;
		program.in_b = program.to_b;
	}
}

static void run_parts(uint64_t ns)
{
	uint64_t before = ns < program.left_ns ? ns : program.left_ns;
	bool other = look.now_ns / program.phase_ns & 1;
	const double *turn = other && program.again_ns[A] > 0 ?
			     program.again_ns : program.turn_ns;
	double noise = 1 + program.noise * (uniform() - 0.5);

	if (!program.idle) {
		program.turns[program.in_b] +=
			noise * (double)before / turn[program.in_b];
		program.turns[program.to_b] +=
			noise * (double)(ns - before) / turn[program.to_b];
	}
	program.left_ns -= before;
	if (program.left_ns == 0)
		program.in_b = program.to_b;
}

static void run(uint64_t ns)
{
	if (program.whole)
		run_whole((double)ns);
	else
		run_parts(ns);
	look.now_ns += ns;
	look.cpu_ns += ns * program.threads;
	for (int i = A; i <= B; i++)
		look.turns[i] = (uint64_t)program.turns[i];
	look.random = cof_random_next(&state);
}

static enum cof_loop_act step(void)
{
	enum cof_loop_act act = cof_loop_turns_step(&turns, &look, ERROR, MOST,
						    &measure);

	if (act == COF_LOOP_SWITCH) {
		program.to_b = turns.b_now;
		program.left_ns = program.late_ns;
	}
	return act;
}

/* Until there is a verdict. */
static enum cof_loop_act try_it(void)
{
	enum cof_loop_act act = COF_LOOP_STAY;

	cof_loop_turns_begin(&turns, &look);
	for (int i = 0; i < LOOKS && act < COF_LOOP_KEEP_A; i++) {
		run(turns.end_ns - look.now_ns);
		act = step();
	}
	return act;
}

static void takes(double a_ns, double b_ns)
{
	program.turn_ns[A] = a_ns;
	program.turn_ns[B] = b_ns;
}

/* -- Tests ----------------------------------------------------------------- */

static void the_faster_side_is_kept(void **unused)
{
	(void)unused;
	program.noise = 0.1;
	takes(100, 80);
	assert_int_equal(try_it(), COF_LOOP_KEEP_B);
	assert_true(fabs(measure.log_time - log(0.8)) < 0.02);
	takes(100, 120);
	assert_int_equal(try_it(), COF_LOOP_KEEP_A);
	assert_true(fabs(measure.log_time - log(1.2)) < 0.02);
}

static void what_makes_no_difference_is_kept(void **unused)
{
	(void)unused;
	program.noise = 0.02;
	takes(100, 100);
	assert_int_equal(try_it(), COF_LOOP_KEEP_B);
	assert_true(turns.spent_ns < MOST);
}

static void what_cannot_be_told_ends_in_time(void **unused)
{
	(void)unused;
	program.noise = 2;	/* slices from nothing to twice as much */
	takes(100, 100);
	assert_in_range(try_it(), COF_LOOP_KEEP_A, COF_LOOP_KEEP_B);
	assert_true(turns.spent_ns <= MOST + COF_S_NS);
}

/* B is a third faster in one phase, and twice as slow in the other. A phase is
 * as long as several blocks. */
static void phases_that_differ_are_both_seen(void **unused)
{
	(void)unused;
	for (int i = 0; i < 50; i++) {
		program.phase_ns = (uint64_t)(37 + 5 * i) * COF_MS_NS;
		takes(100, 75);
		program.again_ns[A] = 100;
		program.again_ns[B] = 200;
		assert_int_equal(try_it(), COF_LOOP_KEEP_A);
	}
}

static void slices_become_longer_until_frames_follow(void **unused)
{
	(void)unused;
	program.late_ns = 40 * COF_MS_NS;
	takes(1e6, 5e5);
	assert_int_equal(try_it(), COF_LOOP_KEEP_B);
	assert_true(turns.stretch * COF_TUNE(loop_slice_ms) >= 200);
	assert_true(turns.wrong <= turns.right / 5);
}

static void turns_longer_than_a_slice_are_compared(void **unused)
{
	(void)unused;
	program.whole = true;
	takes(70e6, 50e6);
	assert_int_equal(try_it(), COF_LOOP_KEEP_B);
	assert_true(turns.found);
	assert_true(turns.crossed >= COF_TUNE(evidence_blocks));
	takes(50e6, 70e6);
	assert_int_equal(try_it(), COF_LOOP_KEEP_A);
	assert_true(turns.found);
}

/* There is no slice without a turn of the other side. */
static void a_trial_of_turns_longer_than_any_slice_ends(void **unused)
{
	(void)unused;
	program.whole = true;
	for (double turn = 3e8; turn < 6e9; turn *= 1.3) {
		uint64_t began = look.now_ns;

		takes(turn, turn);
		assert_int_equal(try_it(), COF_LOOP_KEEP_B);
		assert_in_range(look.now_ns - began, COF_S_NS, 2 * MOST);
	}
}

/* The time of threads that run beside each other is not added up. */
static void many_threads_get_a_trial_as_long(void **unused)
{
	(void)unused;
	program.noise = 0.1;
	program.threads = 64;
	takes(100, 80);
	assert_int_equal(try_it(), COF_LOOP_KEEP_B);
	assert_true(turns.found);
}

/* Frames change sides in one of two stretches of time only, and in the other
 * one it is no slice's time. */
static void where_frames_do_not_follow_nothing_is_found(void **unused)
{
	(void)unused;
	program.late_ns = UINT64_MAX;
	takes(1e6, 5e5);
	assert_int_equal(try_it(), COF_LOOP_KEEP_B);
	assert_false(turns.found);
	assert_true(look.now_ns < 40 * COF_S_NS);
}

/* As where frames share a slot. */
static void numbers_that_fall_make_a_block_void(void **unused)
{
	(void)unused;
	program.noise = 0.1;
	takes(100, 120);
	cof_loop_turns_begin(&turns, &look);
	for (int i = 1; i < LOOKS; i++) {
		enum cof_loop_act act;

		run(turns.end_ns - look.now_ns);
		if (i % 5 == 0)
			program.turns[i % 2] /= 2;
		act = step();
		assert_int_not_equal(act, COF_LOOP_KEEP_B);
		if (act == COF_LOOP_KEEP_A) {
			assert_true(fabs(measure.log_time - log(1.2)) < 0.05);
			return;
		}
	}
	fail();
}

static void a_loop_that_is_over_costs_few_looks(void **unused)
{
	int looks = 0;

	(void)unused;
	takes(100, 50);
	cof_loop_turns_begin(&turns, &look);
	program.idle = true;
	while (look.now_ns < 600 * COF_S_NS) {
		run(turns.end_ns - look.now_ns);
		assert_int_equal(step(), COF_LOOP_STAY);
		looks++;
	}
	assert_true(looks < 100);
	assert_int_equal(turns.spent_ns, 0);

	/* It goes on, and is compared as ever. */
	program.idle = false;
	for (int i = 0; i < LOOKS; i++) {
		run(turns.end_ns - look.now_ns);
		if (step() == COF_LOOP_KEEP_B)
			return;
	}
	fail();
}

static void before_the_slice_is_over_nothing_happens(void **unused)
{
	struct cof_loop_turns before;

	(void)unused;
	takes(100, 50);
	cof_loop_turns_begin(&turns, &look);
	run(turns.end_ns - 1);
	before = turns;
	assert_int_equal(step(), COF_LOOP_STAY);
	assert_memory_equal(&turns, &before, sizeof(turns));
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_faster_side_is_kept),
		T(what_makes_no_difference_is_kept),
		T(what_cannot_be_told_ends_in_time),
		T(phases_that_differ_are_both_seen),
		T(slices_become_longer_until_frames_follow),
		T(turns_longer_than_a_slice_are_compared),
		T(a_trial_of_turns_longer_than_any_slice_ends),
		T(many_threads_get_a_trial_as_long),
		T(where_frames_do_not_follow_nothing_is_found),
		T(numbers_that_fall_make_a_block_void),
		T(a_loop_that_is_over_costs_few_looks),
		T(before_the_slice_is_over_nothing_happens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

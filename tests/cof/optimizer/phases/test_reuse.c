/*
 * test_reuse.c - phases that return, end to end: counted, profiled, audited,
 * and reused
 *
 * P/O and its workers are real. The test acts as PRE: it sets the phase and
 * makes the forecasts. It also acts as SAM: in each turn of a trial it credits
 * the samples of a version that takes half of the time. So the test does not
 * depend on real time.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define TOY_RUN_STEPPED
#include "tests/cof/optimizer/instrumented/profiling.h"
#include "tests/cof/optimizer/whole_turn.h"

#define REUSE "source=none,mode=full,audit_turn_ms=1,audit_s=3600,gain_pct=0," \
	      "profile_slow_pct=0,unit_methods=1,build_pct=6400"
#define SLICE 2000	/* samples */

static uint64_t credited;	/* turns */
static uint32_t begun;

/* PRE's part, and P/O has seen it. */
static void enter(uint32_t phase)
{
	begun += phase != 0;
	atomic_store(&toy.cof->phase, (uint64_t)begun << 32 | phase);
	wait_whole_turn(toy.cof);
}

/* SAM's part, once a turn of a trial, if there is one: the newer version takes
 * half of the time of the other, in a program that spends half of its time
 * there. */
static bool feed(int i, uint32_t newer)
{
	struct cof_flow *all = toy.cof->flow;
	uint64_t slices = cof_count_get(&all->audit.turns), in;
	struct cof_version *v;

	if (slices == credited)
		return true;
	credited = slices;
	pthread_mutex_lock(&toy.cof->code_lock);
	v = current(i);
	in = v->number == newer ? SLICE / 3 : SLICE / 2;
	cof_count_add(&v->sampled.total, in);
	cof_count_add(&v->method->samples, in);
	pthread_mutex_unlock(&toy.cof->code_lock);
	cof_count_add(&all->sampler.counted, in);
	cof_count_add(&all->sampler.drop_NATIVE, SLICE - in);
	cof_count_add(&all->sampler.taken, SLICE);
	return true;
}

static uint32_t newest(int i)
{
	uint32_t number;

	pthread_mutex_lock(&toy.cof->code_lock);
	number = counter[i].m.method->code.next_number - 1;
	pthread_mutex_unlock(&toy.cof->code_lock);
	return number;
}

/* Method i gets a version with a profile of the phase; its trial keeps it. */
static uint32_t build_for(int i)
{
	uint64_t kept = toy.cof->flow->audit.kept, built = flow()->built;
	uint64_t tried = toy.cof->flow->audit.tried;
	uint32_t newer;

	count(i);
	counter[i].counted = 1000;
	WAIT(flow()->built == built + 1 &&
	     toy.cof->flow->audit.tried == tried + 1);
	newer = newest(i);
	WAIT(feed(i, newer) && toy.cof->flow->audit.kept == kept + 1);
	assert_int_equal(seen(i).number, newer);
	assert_int_equal(plan(i), COF_PLAN_PROFILE);
	return newer;
}

static void a_phase_that_returns_needs_no_build(void **state)
{
	uint32_t version[2];

	(void)state;
	begin(REUSE);
	enter(1);
	version[0] = build_for(0);
	enter(0);
	enter(2);
	version[1] = build_for(0);
	assert_int_not_equal(version[0], version[1]);
	assert_int_equal(counter[0].built, 2);
	for (unsigned k = 0; k < 6; k++) {
		enter(0);
		enter(1 + k % 2);
		WAIT(seen(0).number == version[k % 2]);
		WAIT(toy.cof->flow->reuse.reused == k + 1);
	}
	assert_int_equal(counter[0].built, 2);
	assert_int_equal(counter[0].instrumented, 2);
	assert_int_equal(toy.cof->flow->reuse.parked, 1);
	finish();
}

static void what_was_counted_in_two_phases_is_thrown_away(void **state)
{
	(void)state;
	begin(REUSE);
	enter(1);
	count(0);
	enter(0);
	enter(2);
	WAIT(flow()->drop_MIXED == 1);
	assert_false(seen(0).counting);
	assert_int_equal(counter[0].collected, 0);
	build_for(0);
	assert_int_equal(current(0)->phase.id, 2);
	assert_int_equal(counter[0].collected, 1);
	finish();
}

static int setup_reuse(void **state)
{
	begun = 0;
	credited = 0;
	return setup(state);
}

#define T(name) cmocka_unit_test_setup(name, setup_reuse)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_phase_that_returns_needs_no_build),
		T(what_was_counted_in_two_phases_is_thrown_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

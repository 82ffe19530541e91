/*
 * test_stuck_frames.c - frames leave a current version that no call enters
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define TOY_RUN_STEPPED
#include "options/tuning.h"
#include "tests/cof/optimizer/by_hand.h"

#define OPTIONS "mode=co,source=none,stats=none,generation_ms=5,reclaim_ms=1"

static struct toy_method method;
static uint64_t          entries;	/* of its first version */
static _Atomic unsigned  asked, undone;
static _Atomic int       asked_plan;
static void *_Atomic     asked_of;
static bool              declines;
static _Atomic unsigned  not_now;	/* so often, at first */
static int (*toy_build)(void *ctx, void *ir, enum cof_plan plan,
			const int *stop, struct cof_version_desc *out);

static int nothing_better(void *ctx, void *m, enum cof_plan now,
			  enum cof_plan plan, struct cof_estimate *out)
{
	(void)ctx, (void)m, (void)now, (void)plan, (void)out;
	return 1;
}

static int osr(void *ctx, void *ir, void *version, enum cof_plan plan,
	       const int *stop, struct cof_version_desc *out)
{
	if (out == NULL) {
		undone++;
		return 0;
	}
	asked_plan = (int)plan;
	asked_of = version;
	asked++;
	if (not_now > 0) {
		not_now--;
		return -COF_E_STATE;
	}
	return declines ? 1 : toy_build(ctx, ir, plan, stop, out);
}

static int setup(void **state)
{
	toy_run_reset(state);
	toy_build = host.build;
	host.estimate = nothing_better;
	host.osr = osr;
	entries = 0;
	asked = undone = 0;
	declines = false;
	not_now = 0;
	return 0;
}

static struct cof_version *begin(void)
{
	struct cof_version *v;

	toy_run_start(OPTIONS, "");
	by_hand_add(&method, 0);
	by_hand_call(&method);
	v = by_hand_current(&method);
	v->code.entries = &entries;
	by_hand_forecast(&method, 10);
	return v;
}

static uint64_t generation(void)
{
	return atomic_load(&toy.cof->generation);
}

/* Both before and after, so that no look sees the samples alone. */
static bool runs(struct cof_version *v, unsigned entered)
{
	__atomic_fetch_add(&entries, entered, __ATOMIC_SEQ_CST);
	atomic_fetch_add(&v->sampled.total, 10);
	__atomic_fetch_add(&entries, entered, __ATOMIC_SEQ_CST);
	return true;
}

static struct cof_flow_osr *flow(void)
{
	return &toy.cof->flow->osr;
}

#define WAIT(cond) toy_run_until(cond)

static void stuck_it_is_left_for_average_code(void **state)
{
	struct cof_version *v = begin();
	uint64_t since;

	(void)state;
	/* Once it was asked for, its frames leave. */
	WAIT((asked > 0 || runs(v, 0)) &&
	     cof_count_get(&flow()->built) == 1);
	assert_int_equal(asked_plan, COF_PLAN_AVERAGE);
	assert_ptr_equal(asked_of, v->code.data);
	assert_ptr_equal(by_hand_current(&method), v);

	/* It stays so: no frame is led back, and nothing is built again. */
	since = generation();
	WAIT(generation() > since + 10);
	assert_int_equal(undone, 0);
	assert_int_equal(asked, 1);
	toy_run_finish();
}

static void entered_it_is_not(void **state)
{
	struct cof_version *v = begin();
	uint64_t since = generation();

	(void)state;
	WAIT(runs(v, 1) && generation() > since + 10);
	assert_int_equal(asked, 0);
	toy_run_finish();
}

static void without_samples_it_is_not(void **state)
{
	uint64_t since;

	(void)state;
	begin();
	since = generation();
	WAIT(generation() > since + 10);
	assert_int_equal(asked, 0);
	toy_run_finish();
}

static void a_host_that_declines_is_asked_once(void **state)
{
	struct cof_version *v;
	uint64_t since;

	(void)state;
	declines = true;
	v = begin();
	WAIT(runs(v, 0) && cof_count_get(&flow()->drop_DECLINED) == 1);
	since = generation();
	WAIT(runs(v, 0) && generation() > since + 10);
	assert_int_equal(asked, 1);
	toy_run_finish();
}

/* The machine may have been too busy to run the program meanwhile. */
static void if_no_frame_came_it_is_asked_again(void **state)
{
	struct cof_version *v;

	(void)state;
	not_now = 1;
	v = begin();
	WAIT((asked > 1 || runs(v, 0)) &&
	     cof_count_get(&flow()->built) == 1);
	assert_int_equal(asked, 2);
	assert_int_equal(cof_count_get(&flow()->drop_NOT_NOW), 1);
	assert_int_equal(cof_count_get(&flow()->drop_DECLINED), 0);
	toy_run_finish();
}

static void but_less_and_less_often(void **state)
{
	struct cof_version *v;
	uint64_t at[5];

	(void)state;
	not_now = UINT32_MAX;
	v = begin();
	for (unsigned i = 0; i < 5; i++) {
		WAIT(runs(v, 0) && asked == i + 1);
		at[i] = generation();
	}
	for (unsigned i = 2; i < 5; i++)
		assert_true(at[i] - at[i - 1] > at[i - 1] - at[i - 2]);
	assert_int_equal(undone, 0);
	toy_run_finish();
}

/* It is no frame that stays which the host would see then. */
static void entered_again_it_is_not_looked_out_for(void **state)
{
	uint64_t since, first;
	struct cof_version *v;

	(void)state;
	not_now = UINT32_MAX;
	v = begin();
	WAIT(runs(v, 0) && cof_count_get(&flow()->drop_NOT_NOW) == 1);
	WAIT(runs(v, 1) && undone > 0);
	assert_int_equal(asked, 1);

	/* And the next tries come no sooner. */
	since = generation();
	WAIT(runs(v, 0) && asked == 2);
	first = generation() - since;
	WAIT(runs(v, 1) && undone > 1);
	since = generation();
	WAIT(runs(v, 0) && asked == 3);
	assert_true(generation() - since > first);
	toy_run_finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			stuck_it_is_left_for_average_code, setup,
			toy_run_teardown),
		cmocka_unit_test_setup_teardown(entered_it_is_not, setup,
						toy_run_teardown),
		cmocka_unit_test_setup_teardown(without_samples_it_is_not,
						setup, toy_run_teardown),
		cmocka_unit_test_setup_teardown(
			a_host_that_declines_is_asked_once, setup,
			toy_run_teardown),
		cmocka_unit_test_setup_teardown(
			if_no_frame_came_it_is_asked_again, setup,
			toy_run_teardown),
		cmocka_unit_test_setup_teardown(but_less_and_less_often, setup,
						toy_run_teardown),
		cmocka_unit_test_setup_teardown(
			entered_again_it_is_not_looked_out_for, setup,
			toy_run_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

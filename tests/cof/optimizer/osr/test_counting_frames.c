/*
 * test_counting_frames.c - frames that count leave as soon as the profile is
 * full
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define TOY_RUN_STEPPED
#include "optimizer/osr/osr_patience.h"
#include "tests/cof/optimizer/instrumented/profiling.h"

static struct {
	unsigned      n;
	enum cof_plan plan;
	void         *of;
	unsigned      collected, built;	/* of the method, when asked */
} asked;
static bool declines;

static int osr(void *ctx, void *ir, void *version, enum cof_plan plan,
	       const int *stop, struct cof_version_desc *out)
{
	struct counter *c = counter_of(ir);

	if (out == NULL)
		return 0;
	asked.n++;
	asked.plan = plan;
	asked.of = version;
	asked.collected = c->collected;
	asked.built = c->built;
	if (declines && plan == COF_PLAN_PROFILE)
		return 1;
	return counter_compile(ctx, ir, plan, stop, out);
}

static int osr_setup(void **state)
{
	setup(state);
	host.osr = osr;
	memset(&asked, 0, sizeof(asked));
	declines = false;
	return 0;
}

static bool runs(struct cof_version *v)
{
	atomic_fetch_add(&v->sampled.total, 10);
	return true;
}

/* Method 0 counts, in a continuation that its only frame is in. */
static struct cof_version *count_in_a_frame(void)
{
	struct cof_version *first = current(0), *c;

	forecast(0, 1000);
	WAIT(seen(0).counting && (asked.n > 0 || runs(first)) &&
	     cof_count_get(&toy.cof->flow->osr.built) == 1);
	assert_int_equal(asked.plan, COF_PLAN_NONE);
	assert_ptr_equal(asked.of, first->code.data);
	c = first->osr.continuations;
	assert_non_null(c);
	/* There is no stack here that it could be seen on. */
	first->osr.held = true;
	while (!cof_osr_is_hardly_entered(atomic_load(&c->sampled.total), 0))
		runs(c);
	return c;
}

static void they_leave_before_the_version_is_built(void **state)
{
	struct cof_version *c;

	(void)state;
	begin("mode=full,unit_methods=1," BY_HAND);
	c = count_in_a_frame();
	counter[0].counted = 1000;
	WAIT(asked.n == 2);
	assert_int_equal(asked.plan, COF_PLAN_PROFILE);
	assert_ptr_equal(asked.of, c->code.data);
	assert_int_equal(asked.collected, 1);
	assert_int_equal(asked.built, 0);

	/* The version gets the same profile. */
	WAIT(plan(0) == COF_PLAN_PROFILE);
	assert_int_equal(counter[0].collected, 1);
	assert_int_equal(flow()->collected, 1);
	finish();
}

static void others_that_count_are_waited_for(void **state)
{
	struct cof_version *c;

	(void)state;
	begin("mode=full," BY_HAND);
	c = count_in_a_frame();
	forecast(1, 1000);
	WAIT(flow()->counting == 2);
	counter[0].counted = 1000;
	WAIT(runs(c) && asked.n == 2);
	assert_int_equal(asked.plan, COF_PLAN_PROFILE);
	assert_int_equal(asked.built, 1);
	assert_int_equal(counter[0].collected, 1);
	finish();
}

static void without_a_continuation_the_version_is_built(void **state)
{
	(void)state;
	declines = true;
	begin("mode=full,unit_methods=1," BY_HAND);
	count_in_a_frame();
	counter[0].counted = 1000;
	WAIT(plan(0) == COF_PLAN_PROFILE);
	assert_int_equal(asked.n, 2);
	assert_int_equal(counter[0].collected, 1);
	finish();
}

static void without_a_profile_nothing_is(void **state)
{
	(void)state;
	begin("mode=full,unit_methods=1," BY_HAND);
	count_in_a_frame();
	counter[0].no_collect = true;
	counter[0].counted = 1000;
	WAIT(flow()->drop_NO_PROFILE == 1);
	assert_int_equal(asked.n, 1);
	assert_int_equal(seen(0).number, 0);
	finish();
}

#define T(name)								\
	cmocka_unit_test_setup_teardown(name, osr_setup, toy_run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(they_leave_before_the_version_is_built),
		T(others_that_count_are_waited_for),
		T(without_a_continuation_the_version_is_built),
		T(without_a_profile_nothing_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

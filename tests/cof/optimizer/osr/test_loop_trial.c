/*
 * test_loop_trial.c - two continuations, and a frame that the host leads to and
 * fro
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define TOY_RUN_STEPPED
#include "base/clock.h"
#include "history/time_saved.h"
#include "optimizer/osr/osr_patience.h"
#include "optimizer/osr/osr.h"
#include "tests/cof/optimizer/instrumented/profiling.h"

#define RUN "mode=full,unit_methods=1,source=none,profile_slow_pct=0"

/* What the host built, in order. */
static struct {
	void         *from, *to;
	enum cof_plan plan;
	bool          tried;
	double        turns;
	unsigned      built;	/* versions of the method until then */
	void         *leads;	/* its frames go there */
} made[16];
static unsigned n_made;
static struct cof_version *below;	/* the version whose frame is below */
static void *frame;		/* the version that the only frame is in */
static double slower;		/* turns of what has the profile take so much
				 * longer */
static uint64_t cpu_ns;
static bool cannot_try, cannot_settle, no_frame;

static unsigned of(void *version)
{
	for (unsigned i = 0; i < n_made; i++)
		if (made[i].to == version)
			return i;
	return n_made;
}

/* The frame ran until now, and follows at once. */
static void pass_time(void)
{
	uint64_t now = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);
	unsigned i = of(frame);

	if (i < n_made)
		made[i].turns += (double)(now - cpu_ns) /
				 (made[i].plan == COF_PLAN_PROFILE ?
				  slower * 100 : 100);
	cpu_ns = now;
}

static void lead(void *from, void *to)
{
	unsigned i = of(from);

	pass_time();
	if (i < n_made)
		made[i].leads = to;
	if (frame == from && to)
		frame = to;
}

static int build(void *ctx, void *ir, void *version, enum cof_plan plan,
		 bool tried, const int *stop, struct cof_version_desc *out)
{
	if (counter_compile(ctx, ir, plan, stop, out) != 0)
		return 1;
	if (plan == COF_PLAN_NONE)
		frame = out->data;
	made[n_made].from = version;
	made[n_made].to = out->data;
	made[n_made].plan = plan;
	made[n_made].built = counter_of(ir)->built;
	made[n_made++].tried = tried;
	lead(version, out->data);
	return 0;
}

static int osr(void *ctx, void *ir, void *version, enum cof_plan plan,
	       const int *stop, struct cof_version_desc *out)
{
	if (out == NULL || (cannot_settle && plan != COF_PLAN_NONE))
		return out != NULL;
	if (no_frame && plan != COF_PLAN_NONE)
		return -COF_E_STATE;
	return build(ctx, ir, version, plan, false, stop, out);
}

static int osr_try(void *ctx, void *ir, void *version, enum cof_plan plan,
		   const int *stop, struct cof_version_desc *out)
{
	return cannot_try ? 1 : build(ctx, ir, version, plan, true, stop, out);
}

static int osr_lead(void *ctx, void *from, void *to)
{
	(void)ctx;
	lead(from, to);
	return 0;
}

static uint64_t osr_turns(void *ctx, void *version)
{
	(void)ctx;
	pass_time();
	return (uint64_t)made[of(version)].turns;
}

static int trial_setup(void **state)
{
	setup(state);
	host.osr = osr;
	host.osr_try = osr_try;
	host.osr_lead = osr_lead;
	host.osr_turns = osr_turns;
	memset(made, 0, sizeof(made));
	n_made = 0;
	frame = NULL;
	cannot_try = cannot_settle = no_frame = false;
	cpu_ns = 0;
	return 0;
}

static struct cof_flow_osr *osr_flow(void)
{
	return &toy.cof->flow->osr;
}

static bool runs(struct cof_version *v)
{
	atomic_fetch_add(&v->sampled.total, 10);
	return true;
}

/* Method 0 has counted, in a continuation that its only frame is in. */
static struct cof_version *count_in_a_frame(void)
{
	struct cof_version *first, *c;

	begin(RUN);
	first = current(0);
	forecast(0, 1000);
	WAIT(seen(0).counting && (n_made > 0 || runs(first)) &&
	     cof_count_get(&osr_flow()->built) == 1);
	c = first->osr.continuations;
	assert_non_null(c);
	/* There is no stack here that it could be seen on. */
	first->osr.held = true;
	below = first;
	while (!cof_osr_is_hardly_entered(atomic_load(&c->sampled.total), 0))
		runs(c);
	counter[0].counted = 1000;
	return c;
}

/* All three are built: with the profile, without, and what stays. */
static void decide(void)
{
	count_in_a_frame();
	WAIT(n_made == 4);
	assert_true(made[1].tried);
	assert_int_equal(made[1].plan, COF_PLAN_PROFILE);
	assert_ptr_equal(made[1].from, made[0].to);
	assert_true(made[2].tried);
	assert_int_equal(made[2].plan, COF_PLAN_AVERAGE);
	assert_ptr_equal(made[2].from, made[1].to);
	assert_false(made[3].tried);
	assert_ptr_equal(frame, made[3].to);
	assert_int_equal(osr_flow()->tried, 1);
}

/* What the next run will know of method 0. */
static struct cof_history_hot remembered(void)
{
	return cof_history_hot(counter[0].m.method, current(0));
}

/* -- Tests ----------------------------------------------------------------- */

static void what_is_faster_stays(void **state)
{
	(void)state;
	slower = 0.5;
	decide();
	assert_int_equal(made[3].plan, COF_PLAN_PROFILE);
	assert_ptr_equal(made[3].from, made[1].to);
	assert_ptr_equal(made[2].leads, made[1].to);
	WAIT(cof_count_get(&osr_flow()->decided) == 1 &&
	     toy.cof->osr->trials.first == NULL);
	assert_int_equal(osr_flow()->rolled_back, 0);
	assert_int_equal(remembered().audited, COF_AUDIT_KEPT);
	assert_true(remembered().measured > 1.5 && remembered().measured < 3);
	finish();
}

static void what_is_slower_is_left(void **state)
{
	(void)state;
	slower = 2;
	decide();
	assert_int_equal(made[3].plan, COF_PLAN_AVERAGE);
	assert_ptr_equal(made[3].from, made[2].to);
	assert_ptr_equal(made[1].leads, made[2].to);
	WAIT(cof_count_get(&osr_flow()->rolled_back) == 1 &&
	     toy.cof->osr->trials.first == NULL);
	assert_int_equal(osr_flow()->decided, 1);
	assert_int_equal(remembered().audited, COF_AUDIT_BACK);
	assert_true(remembered().measured == 1);
	/* Nor is the method built with its profile again, for now. */
	assert_int_equal(counter[0].m.method->trial.rollbacks[COF_PLAN_PROFILE],
			 1);
	finish();
}

static void what_is_equal_stays_and_gained_nothing(void **state)
{
	(void)state;
	slower = 1;
	decide();
	assert_int_equal(made[3].plan, COF_PLAN_PROFILE);
	assert_int_equal(remembered().audited, COF_AUDIT_OPEN);
	assert_true(remembered().measured > .95);
	assert_true(remembered().measured < 1.05);
	finish();
}

static void a_host_that_cannot_try_is_asked_for_one_that_stays(void **state)
{
	(void)state;
	cannot_try = true;
	slower = 2;
	count_in_a_frame();
	WAIT(n_made == 2);
	assert_int_equal(made[1].built, 0);	/* at once: frames count */
	assert_false(made[1].tried);
	assert_int_equal(made[1].plan, COF_PLAN_PROFILE);
	assert_int_equal(osr_flow()->tried, 0);
	finish();
}

static void what_cannot_be_settled_stays_as_it_is(void **state)
{
	(void)state;
	cannot_settle = true;
	slower = 2;
	count_in_a_frame();
	WAIT(cof_count_get(&osr_flow()->rolled_back) == 1 &&
	     toy.cof->osr->trials.first == NULL);
	assert_ptr_equal(frame, made[2].to);
	finish();
}

static void a_frame_that_does_not_come_is_waited_for(void **state)
{
	(void)state;
	no_frame = true;
	slower = 2;
	count_in_a_frame();
	WAIT(cof_count_get(&osr_flow()->drop_NOT_NOW) > 5);
	no_frame = false;
	WAIT(n_made == 4);
	assert_ptr_equal(frame, made[3].to);
	WAIT(toy.cof->osr->trials.first == NULL);
	finish();
}

/* What it was made for is gone, too. */
static void a_trial_whose_frame_has_returned_is_over(void **state)
{
	(void)state;
	slower = 1;
	count_in_a_frame();
	WAIT(n_made == 3 && made[2].turns > 0);
	frame = NULL;
	below->osr.held = false;
	WAIT(toy.cof->osr->trials.first == NULL);
	assert_int_equal(osr_flow()->decided, 0);
	finish();
}

static void it_may_stop_while_they_take_turns(void **state)
{
	(void)state;
	slower = 1;
	count_in_a_frame();
	WAIT(n_made == 3 && made[2].turns > 0);
	call_all();
	toy_run_stop();
	assert_int_equal(toy.cof->flow->patcher.parked, 0);
	toy_run_free();
}

#define T(name)								\
	cmocka_unit_test_setup_teardown(name, trial_setup, toy_run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_is_faster_stays),
		T(what_is_slower_is_left),
		T(what_is_equal_stays_and_gained_nothing),
		T(a_host_that_cannot_try_is_asked_for_one_that_stays),
		T(what_cannot_be_settled_stays_as_it_is),
		T(a_frame_that_does_not_come_is_waited_for),
		T(a_trial_whose_frame_has_returned_is_over),
		T(it_may_stop_while_they_take_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

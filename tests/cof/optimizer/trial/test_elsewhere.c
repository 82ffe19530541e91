/*
 * test_elsewhere.c - trials of methods whose threads are in neither version
 *
 * An interpreter's loop that was led into a continuation stays there, and is
 * entered now and then. What those few entries gain says nothing about it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "optimizer/osr/osr.h"
#include "audited.h"
#include "memory/mem.h"
#include "optimizer/build/build.h"
#include "optimizer/trial/trial.h"

/* A slice in which method i has `part` of its samples in another version. */
static void slice_beside(const struct cof_version *b[METHODS], int i,
			 double part)
{
	uint64_t n = (uint64_t)(SLICE_SAMPLES * part / (1 - part) / METHODS);

	cof_count_add(&method[i]->samples, n);
	cof_count_add(&cof->flow->sampler.counted, n);
	cof_count_add(&cof->flow->sampler.taken, n);
	slice(b);
}

static void until_the_end_beside(const struct cof_version *b[METHODS], int i,
				 double part)
{
	cof_audit_turn(cof, NULL);
	while (cof->flow->audit.now > 0)
		slice_beside(b, i, part);
}

static void what_runs_elsewhere_is_not_seen(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };

	(void)state;
	cost[0] = 0.9;
	b[0] = build(0, 1, profiled);
	until_the_end_beside(b, 0, 0.5);
	assert_int_equal(cof->flow->audit.drop_UNSEEN, 1);
	assert_int_equal(cof->flow->audit.kept, 0);
	assert_ptr_equal(current(0), b[0]);
	assert_int_equal(b[0]->trial.state, COF_AUDIT_NONE);
	assert_int_equal(told, 1);
	assert_int_equal(told_stays, COF_TRIAL_UNSEEN);
}

static void a_little_elsewhere_hides_nothing(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	struct cof_version *a = current(0);

	(void)state;
	cost[0] = 1.3;
	b[0] = build(0, 1, profiled);
	until_the_end_beside(b, 0, 0.1);
	assert_int_equal(cof->flow->audit.rolled_back, 1);
	assert_ptr_equal(current(0), a);
}

/* The other member was seen, and is tried again in the next run. */
static void only_a_member_that_is_elsewhere_is_unseen(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	struct built how = profiled;

	(void)state;
	how.unit = 1;
	for (int i = 0; i < 2; i++) {
		cost[i] = 0.9;
		b[i] = build(i, 1 + i, how);
	}
	until_the_end_beside(b, 1, 0.8);
	assert_int_equal(cof->flow->audit.drop_UNSEEN, 2);
	assert_int_equal(told, 1);
	assert_int_equal(told_stays, COF_TRIAL_UNSEEN);
	assert_ptr_equal(told_of, &method[1]);
}

/* -- Frames that stay in A ------------------------------------------------- */

#define GENERATION 8	/* slices: each version has its turn in one */

static struct cof_osr osr;

static int may_lead_out(void *ctx, void *ir, void *version, enum cof_plan plan,
			const int *stop, struct cof_version_desc *out)
{
	(void)ctx, (void)ir, (void)version, (void)plan, (void)stop, (void)out;
	return 0;
}

/* A generation's look; if a continuation is asked for, it is built. */
static bool is_asked(void)
{
	struct cof_build *asked;
	struct piece p = { .n = 0 };

	cof->generation++;
	asked = cof_osr_turn(cof, &osr);
	if (!asked)
		return false;
	piece_return(&p, 7);
	asked->desc = piece_place(cof, &p, NULL);
	asked->desc.plan = asked->plan;
	asked->end = COF_BUILD_DONE;
	cof_osr_take(cof, &osr, asked);
	cof_mem_free(asked);
	return true;
}

/* Goes on until the trial is over. `come`: frames stay in A also after its
 * first ones were led out. Returns how often the host was asked. */
static unsigned until_the_end_with_frames(const struct cof_version *b[METHODS],
					  struct cof_version *a, bool come,
					  uint32_t *stretch)
{
	unsigned asked = 0;

	cof_audit_turn(cof, NULL);
	while (cof->flow->audit.now > 0) {
		*stretch = method[0]->trial.now->stretch;
		if (asked == 0 || come)
			credit(a, SLICE_SAMPLES / 8);
		slice(b);
		if (slices % GENERATION == 0 && cof->flow->audit.now > 0 &&
		    is_asked()) {
			assert_true(*stretch > 1);
			asked++;
		}
	}
	return asked;
}

static struct cof_version *begin_with_frames(const struct cof_version **b)
{
	struct cof_version *a = current(0);

	memset(&osr, 0, sizeof(osr));
	cof->host.osr = may_lead_out;
	cof->osr = &osr;
	cof_osr_watch(cof, a);
	cost[0] = 0.8;
	*b = build(0, 1, profiled);
	return a;
}

static void end_with_frames(void)
{
	cof_osr_stop(cof, &osr);
	cof->osr = NULL;
}

/* They would make turns longer and longer. So they are led out, as no frame is
 * while others have their turns, and then the trial comes to its end. */
static void frames_that_stay_leave_the_trial(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	struct cof_version *a = begin_with_frames(&b[0]);
	uint32_t stretch = 0;

	(void)state;
	assert_int_equal(until_the_end_with_frames(b, a, false, &stretch), 1);
	assert_int_equal(stretch, 1);
	assert_int_equal(cof->flow->audit.kept, 1);
	assert_int_equal(cof->flow->osr.built, 1);
	end_with_frames();
}

/* Longer turns are for these. */
static void frames_that_go_on_coming_are_led_out_once(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	struct cof_version *a = begin_with_frames(&b[0]);
	uint32_t stretch = 0;

	(void)state;
	assert_int_equal(until_the_end_with_frames(b, a, true, &stretch), 1);
	assert_true(stretch > 1);
	assert_int_equal(cof->flow->osr.built, 1);
	end_with_frames();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_runs_elsewhere_is_not_seen),
		TEST(a_little_elsewhere_hides_nothing),
		TEST(only_a_member_that_is_elsewhere_is_unseen),
		TEST(frames_that_stay_leave_the_trial),
		TEST(frames_that_go_on_coming_are_led_out_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

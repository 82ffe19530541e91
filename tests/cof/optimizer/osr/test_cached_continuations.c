/*
 * test_cached_continuations.c - a frame that was there first is led out at once
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "optimizer/osr/osr.h"
#include "tests/cof/optimizer/policy/warm.h"

static _Atomic unsigned given, undone, built;
static void *of, *with;
static bool has_them;

static int setup_continuations(void **state)
{
	given = undone = built = 0;
	of = with = NULL;
	has_them = true;
	return setup_cached(state);
}

static int give_continuations(void *ctx, void *method, void *version,
			      void *newer, struct cof_version_desc *out)
{
	const int stop = 0;

	of = version;
	with = newer;
	given++;
	if (!has_them)
		return 1;
	return host.build(ctx, method, COF_PLAN_PROFILE, &stop, out);
}

static int osr(void *ctx, void *ir, void *version, enum cof_plan plan,
	       const int *stop, struct cof_version_desc *out)
{
	(void)ctx, (void)ir, (void)version, (void)plan, (void)stop;
	built += out != NULL;
	undone += out == NULL;
	return out != NULL;
}

static void start_with_them(struct toy_method *m0, const char *more)
{
	host.osr = osr;
	host.cached_continuations = give_continuations;
	start_warm(m0, more);
}

static void its_frames_are_led_out_before_the_program_begins(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };
	const struct cof_stuck_frame *s;

	(void)state;
	start_with_them(&m0, "audit=off");
	s = toy.cof->osr->frames.first;
	while (s->version->number != 0)
		s = s->next;
	assert_int_equal(given, 1);
	assert_ptr_equal(of, s->version->code.data);
	assert_ptr_equal(with, current(&m0)->code.data);
	assert_non_null(s->version->osr.continuations);
	assert_int_equal(toy.cof->flow->osr.built, 1);
	assert_int_equal(toy.gathered, 0);
	stop_and_balance();
	assert_int_equal(built, 0);
	end_run();
}

static void without_any_nothing_is_led(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	has_them = false;
	start_with_them(&m0, "audit=off");
	assert_int_equal(given, 1);
	assert_int_equal(toy.cof->flow->osr.asked, 0);
	stop_and_balance();
	end_run();
}

static void osr_that_is_off_stays_so(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	start_with_them(&m0, "audit=off,osr_generations=0");
	assert_int_equal(given, 0);
	stop_and_balance();
	end_run();
}

/* In the turns of the first version its frames stay in it. */
static void a_trial_leads_them_no_more(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	start_with_them(&m0, "audit_retry_runs=0");
	assert_int_equal(given, 1);
	wait_until(undone == 1, toy.cof->flow);
	stop_and_balance();
	assert_int_equal(toy.cof->flow->audit.tried, 1);
	assert_int_equal(toy.cof->flow->osr.undone, 1);
	end_run();
}

#define T(name)								\
	cmocka_unit_test_setup_teardown(name, setup_continuations,	\
					teardown_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(its_frames_are_led_out_before_the_program_begins),
		T(without_any_nothing_is_led),
		T(osr_that_is_off_stays_so),
		T(a_trial_leads_them_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

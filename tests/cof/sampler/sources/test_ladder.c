/*
 * test_ladder.c - the best source that opens is used, for each thread
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "instance.h"
#include "sampler/sources/ladder.h"
#include "sampler/sources/source.h"
#include "threads/threads.h"

static int opened, closed, refuse_from;
static int attached;

static int no_open(struct cof *cof, void **own, char *why, size_t why_bytes)
{
	(void)cof, (void)own;
	snprintf(why, why_bytes, "not today");
	return -COF_E_PERM;
}

static int yes_open(struct cof *cof, void **own, char *why, size_t why_bytes)
{
	(void)cof, (void)why, (void)why_bytes;
	*own = &opened;
	opened++;
	return 0;
}

static void yes_close(void *own)
{
	assert_ptr_equal(own, &opened);
	closed++;
}

static int some_attach(void *own, struct cof_thread *t, uint64_t period_ns)
{
	(void)own, (void)t, (void)period_ns;
	return attached++ < refuse_from ? 0 : -COF_E_NOMEM;
}

static void yes_detach(void *own, struct cof_thread *t)
{
	(void)own, (void)t;
}

static const struct cof_source
	never = { .name = "never", .open = no_open },
	few = { .name = "few", .open = yes_open, .close = yes_close,
		.attach = some_attach, .detach = yes_detach },
	any = { .name = "any", .open = yes_open, .close = yes_close,
		.detach = yes_detach, .signals = true };

static int setup(void **state)
{
	(void)state;
	opened = closed = attached = 0;
	refuse_from = 2;
	return 0;
}

static void the_best_source_that_opens_is_used_and_the_reason_said(void **state)
{
	const struct cof_source *rungs[] = { &never, &few, &any };
	struct cof_ladder l;

	(void)state;
	assert_true(cof_ladder_open(&l, NULL, rungs, 3, true));
	assert_ptr_equal(l.top->source, &few);
	assert_string_equal(l.why, "never: not today; few: in use");
	assert_int_equal(opened, 1);	/* not the spare source */
	cof_ladder_close(&l);
	assert_int_equal(closed, 1);
}

static void a_thread_that_is_refused_gets_the_next_source(void **state)
{
	const struct cof_source *rungs[] = { &few, &any };
	struct cof_thread t[3] = { { .tid = 1 }, { .tid = 2 }, { .tid = 3 } };
	struct cof_ladder l;

	(void)state;
	assert_true(cof_ladder_open(&l, NULL, rungs, 2, true));
	for (int i = 0; i < 3; i++)
		assert_true(cof_ladder_attach(&l, &t[i], 1000));
	assert_ptr_equal(t[1].rung->source, &few);
	assert_ptr_equal(t[2].rung->source, &any);
	assert_int_equal(opened, 2);
	for (int i = 0; i < 3; i++) {
		cof_ladder_detach(&t[i]);
		assert_null(t[i].rung);
		cof_ladder_detach(&t[i]);	/* nothing */
	}
	cof_ladder_close(&l);
	assert_int_equal(closed, 2);
}

static void a_thread_that_no_source_takes_is_not_sampled(void **state)
{
	const struct cof_source *rungs[] = { &few, &never };
	struct cof_thread t = { .tid = 1 };
	struct cof_ladder l;

	(void)state;
	refuse_from = 0;
	assert_true(cof_ladder_open(&l, NULL, rungs, 2, true));
	assert_false(cof_ladder_attach(&l, &t, 1000));
	assert_false(t.sampled);
	assert_non_null(strstr(l.why, "never: not today"));
	cof_ladder_close(&l);
}

static void without_a_handler_no_source_may_signal(void **state)
{
	const struct cof_source *rungs[] = { &any };
	struct cof_ladder l;

	(void)state;
	assert_false(cof_ladder_open(&l, NULL, rungs, 1, false));
	assert_int_equal(opened, 0);
	assert_non_null(strstr(l.why, "signal is in use"));
	cof_ladder_close(&l);
}

static void an_event_asked_for_leaves_perf_alone(void **state)
{
	const struct cof_source *rungs[COF_LADDER_RUNGS];
	struct cof_opts o;

	(void)state;
	cof_opts_init(&o);
	assert_int_equal(cof_ladder_choose(&o, rungs), 3);
	assert_ptr_equal(rungs[0], &cof_source_perf);
	assert_ptr_equal(rungs[1], &cof_source_timer);
	strcpy(o.event, "task-clock");
	assert_int_equal(cof_ladder_choose(&o, rungs), 2);
	assert_ptr_equal(rungs[1], &cof_source_perf_clock);
	o.source = COF_SOURCE_NONE;
	assert_int_equal(cof_ladder_choose(&o, rungs), 0);
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_best_source_that_opens_is_used_and_the_reason_said),
		T(a_thread_that_is_refused_gets_the_next_source),
		T(a_thread_that_no_source_takes_is_not_sampled),
		T(without_a_handler_no_source_may_signal),
		T(an_event_asked_for_leaves_perf_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

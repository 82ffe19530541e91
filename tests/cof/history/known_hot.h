/*
 * known_hot.h - what tests of the known hot set do to methods of the toy
 */
#pragma once

#include "history_run.h"
#include "tests/support/balance.h"

/* Begin a run of method m0 after one that left the record. */
static inline void start_after(struct cof_history_record r,
			       struct toy_method *m0, const char *more)
{
	char all[160];

	remember(r);
	snprintf(all, sizeof(all),
		 "mode=auto,source=none,generation_ms=20,%.100s", more);
	start(all);
	toy_add(&toy, m0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
}

/* For a test whose thread is attached, and that calls end_run() later. */
static inline void stop_and_balance(void)
{
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	assert_null(unbalanced(toy.cof->flow));
}

static inline struct cof_version *current(const struct toy_method *m)
{
	return atomic_load(&m->method->current);
}

/* Calls m until a version built after the first one is current; returns its
 * plan. A trial may put the first one back the next moment. */
static inline enum cof_plan call_until_built(struct toy_method *m)
{
	const struct cof_version *v;

	assert_int_equal(toy_call(m, 1).value, 1 + (long)m->turns * m->step);
	wait_until((v = current(m))->number != 0, toy.cof->flow);
	assert_int_equal(toy_call(m, 1).value, 1 + (long)m->turns * m->step);
	return v->plan;
}

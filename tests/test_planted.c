/*
 * test_planted.c - builds planted to be slower than promised are all rolled back
 *
 * The host is the toy's, but of each method it builds a version that computes
 * the same and takes 20 % more turns for it than tier 0, or for some methods a
 * good deal fewer, and promises a gain of all of them. A guest thread runs them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../hosts/toy/toy.h"
#include "balance.h"
#include "clock.h"
#include "instance.h"
#include "optimizer/audit.h"

#define SLOW    5
#define FAST    2
#define METHODS (SLOW + FAST)
#define PATIENCE_NS UINT64_C(400000000000)	/* of CPU time; each trial has
						 * at most 20 s */
#define TURNS   (5u << 2 * COF_PLAN_SPEED)	/* per unit; the best plan takes a
						 * 4^SPEED-th of them */

static struct toy        toy;
static struct toy_method method[METHODS];
static struct cof_host   real;
static _Atomic bool      over;
static pthread_t         guest;
static bool              has_guest;
static _Atomic long      wrong;

static char said[4096];	/* of the trials, by the log */

static void keep_log(void *ctx, const char *line)
{
	size_t used = strlen(said);

	(void)ctx;
	if (strstr(line, "AUDIT"))
		snprintf(said + used, sizeof(said) - used, "%s\n", line);
}

static int estimate(void *ctx, void *m, enum cof_plan now, enum cof_plan plan,
		    struct cof_estimate *out)
{
	(void)ctx, (void)m;
	out->speedup = 1.5;
	out->cost_ns = 20000;
	return now == COF_PLAN_NONE && plan == COF_PLAN_SPEED ? 0 : -1;
}

/*
 * The toy's compiler takes turns / 4^plan turns of step * 4^plan. So that they
 * are 6/5 of what tier 0 takes the IR has 4^plan times as many, and steps that
 * are the smaller.
 */
static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	struct toy_method m = *(struct toy_method *)ir;
	uint32_t all = 1u << 2 * plan;

	if (m.name[0] == 's') {
		m.turns = m.turns / 5 * 6 * all;
		m.step = m.step / 6 * 5 / (int32_t)all;
	} else {
		m.turns = m.turns / 5 * 3 * all;
		m.step = m.step / 3 * 5 / (int32_t)all;
	}
	return real.build(ctx, &m, plan, stop, out);
}

static void *guest_main(void *arg)
{
	(void)arg;
	if (cof_thread_attach(toy.cof, NULL, NULL) != 0)
		return NULL;
	while (!over)
		for (int i = 0; i < METHODS; i++)
			if (toy_call(&method[i], i).value !=
			    i + (long)method[i].turns * method[i].step)
				wrong++;
	cof_thread_detach(toy.cof);
	return NULL;
}

static void end_guest(void)
{
	over = true;
	if (has_guest)
		pthread_join(guest, NULL);
	has_guest = false;
}

/* What a test that failed left running. */
static int teardown(void **state)
{
	(void)state;
	end_guest();
	cof_free(toy.cof);
	toy = (struct toy){ .cof = NULL };
	return 0;
}

/* All were tried, and each trial has ended. */
static bool is_judged(const struct cof_flow *flow)
{
	struct passed audit = passed(flow, "audit");

	return audit.in >= METHODS && audit.out == audit.in;
}

/* A trial takes CPU time, which on a busy machine takes long to get. */
static void wait_for_trials(const struct cof_flow *flow)
{
	while (!is_judged(flow)) {
		nap();
		if (cof_clock_read(CLOCK_PROCESS_CPUTIME_ID) < PATIENCE_NS)
			continue;
		show_flow(flow);
		fail();
	}
}

static void run(const char *options)
{
	static const char *const name[METHODS] = {
		"slow0", "slow1", "slow2", "slow3", "slow4", "fast0", "fast1",
	};
	struct cof_host host = toy_host(&toy);

	real = host;
	host.estimate = estimate;
	host.build = build;
	host.log = keep_log;
	said[0] = '\0';
	over = false;
	wrong = 0;
	assert_int_equal(cof_start(&host, options, NULL, &toy.cof), 0);
	for (int i = 0; i < METHODS; i++) {
		method[i] = (struct toy_method){
			.name = name[i], .turns = TURNS * (16 + 2u * i),
			.step = 6 << 2 * COF_PLAN_SPEED,
		};
		assert_int_equal(toy_add(&toy, &method[i]), 0);
	}
	assert_int_equal(pthread_create(&guest, NULL, guest_main, NULL), 0);
	has_guest = true;
	wait_for_trials(toy.cof->flow);
	end_guest();
	cof_stop(toy.cof);
	assert_int_equal(wrong, 0);
	assert_null(unbalanced(toy.cof->flow));
	if (getenv("COF_TEST_SHOW"))
		show_flow(toy.cof->flow);
}

/* What is current now is tier 0's, or not. */
static bool is_back(const struct toy_method *m)
{
	return atomic_load(&m->method->current)->plan == COF_PLAN_NONE;
}

static void end(void)
{
	cof_free(toy.cof);
	toy.cof = NULL;
	assert_int_equal(toy.discarded, toy.versions);
	toy = (struct toy){ .cof = NULL };
}

static void all_that_are_slower_go_back_and_all_that_are_faster_stay(void **state)
{
	(void)state;
	run("mode=co,audit=on,verbose,stats=none,code_mb=16,build_pct=6400,gain_pct=0,"
	    "hit_weight=1,generation_ms=50,ignore_generations=60000,audit_s=30,"
	    "audit_error=5");
	for (int i = 0; i < METHODS; i++) {
		if (is_back(&method[i]) == (i < SLOW))
			continue;
		show_flow(toy.cof->flow);
		fail_msg("%s: %s", method[i].name, said);
	}
	assert_true(toy.cof->flow->audit.rolled_back +
		    toy.cof->flow->audit.unclear_back == SLOW);
	end();
}

static void without_an_audit_all_of_them_stay(void **state)
{
	struct cof_host host = toy_host(&toy);

	(void)state;
	assert_int_equal(cof_start(&host, "mode=co,stats=none,code_mb=16",
				   NULL, &toy.cof), 0);
	assert_null(toy.cof->audit);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
		    all_that_are_slower_go_back_and_all_that_are_faster_stay,
		    teardown),
		cmocka_unit_test_teardown(without_an_audit_all_of_them_stay,
					  teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_planted.c - slower builds, promised to be faster, are all rolled back
 *
 * The host is the toy's. But of each method it builds a version that computes
 * the same in 20 % more turns than tier 0, or for some methods in far fewer
 * turns, and it promises a gain of all of them. The verdicts are checked with a
 * stepped loop, in which a turn takes the time that the test says. With a guest
 * thread, in real time, the test checks only that each method gets some
 * verdict.
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

#include "hosts/toy/toy.h"
#include "optimizer/trial/audit.h"
#include "tests/support/patience.h"
#include "tests/cof/api/stepped_loop.h"
#include "tests/support/valgrind.h"

#define SLOW    5
#define FAST    2
#define METHODS (SLOW + FAST)
/* The best plan takes one in ALL of the IR's turns. */
#define ALL     (1u << 2 * COF_PLAN_SPEED)
#define TURN_NS 1000u		/* stepped */
#define OPTIONS "mode=co,audit=on,verbose,stats=none,history=none,code_mb=16," \
		"build_pct=6400,gain_pct=0,hit_weight=1,generation_ms=50," \
		"backoff_generations=60000,audit_error=5,"

static struct toy        toy;
static struct toy_method method[METHODS];
static struct cof_host   real;
static _Atomic bool      over;
static pthread_t         guest;
static bool              has_guest;
static _Atomic long      wrong;

static char said[4096];	/* the log's lines on trials */

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

/* Turns of the version built. */
static uint32_t turns_built(const struct toy_method *m)
{
	return m->turns / 5 * (m->name[0] == 's' ? 6 : 3);
}

/* The toy's compiler takes turns / ALL turns of step * ALL. */
static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	struct toy_method m = *(struct toy_method *)ir;
	int32_t turns = (int32_t)m.turns;

	m.turns = turns_built(&m) * ALL;
	m.step = turns * m.step / (int32_t)m.turns;
	return real.build(ctx, &m, plan, stop, out);
}

static struct toy_answer call(int i)
{
	struct toy_answer a = toy_call(&method[i], i);

	if (a.value != i + (long)method[i].turns * method[i].step)
		wrong++;
	return a;
}

static struct cof_host the_host(void)
{
	struct cof_host host = toy_host(&toy);

	real = host;
	host.estimate = estimate;
	host.build = build;
	host.log = keep_log;
	said[0] = '\0';
	over = false;
	wrong = 0;
	return host;
}

/* A method has 5 * unit * (16 + 2 * i) turns. */
static void add_methods(struct cof *cof, uint32_t unit)
{
	static const char *const name[METHODS] = {
		"slow0", "slow1", "slow2", "slow3", "slow4", "fast0", "fast1",
	};

	toy.cof = cof;
	for (int i = 0; i < METHODS; i++) {
		method[i] = (struct toy_method){
			.name = name[i], .turns = 5 * unit * (16 + 2u * i),
			.step = 6 * (int32_t)ALL,
		};
		assert_int_equal(toy_add(&toy, &method[i]), 0);
	}
}

/* All were tried, and each trial has ended. */
static bool all_decided(void)
{
	struct passed audit = passed(toy.cof->flow, "audit");

	return audit.in >= METHODS && audit.out == audit.in;
}

static void stop(void)
{
	cof_stop(toy.cof);
	assert_int_equal(wrong, 0);
	assert_null(unbalanced(toy.cof->flow));
	if (getenv("COF_TEST_SHOW"))
		show_flow(toy.cof->flow);
}

/* Is tier 0's version current? */
static bool is_back(const struct toy_method *m)
{
	return atomic_load(&m->method->current)->plan == COF_PLAN_NONE;
}

static void end(void)
{
	cof_free(toy.cof);
	assert_int_equal(toy.discarded, toy.versions);
	toy = (struct toy){ .cof = NULL };
}

static void
all_that_are_slower_go_back_and_all_that_are_faster_stay(void **state)
{
	struct cof_host host = the_host();

	(void)state;
	assert_int_equal(stepped_start(&host, OPTIONS "audit_s=300", false,
				       NULL), 0);
	add_methods(stepped.cof, 1);
	while (!all_decided()) {
		assert_true(stepped.now_ns < 1000 * STEPPED_S);
		for (int i = 0; i < METHODS; i++) {
			bool first = (call(i).version & 3) == COF_PLAN_NONE;

			stepped_spend_in(method[i].method, TURN_NS * (uint64_t)
					 (first ? method[i].turns :
						  turns_built(&method[i])));
		}
	}
	stop();
	for (int i = 0; i < METHODS; i++) {
		if (is_back(&method[i]) == (i < SLOW))
			continue;
		show_flow(toy.cof->flow);
		fail_msg("%s: %s", method[i].name, said);
	}
	assert_int_equal(toy.cof->flow->audit.rolled_back, SLOW);
	assert_int_equal(toy.cof->flow->audit.kept, FAST);
	end();
}

/* -- In threads ------------------------------------------------------------ */

static void *guest_main(void *arg)
{
	(void)arg;
	if (cof_thread_attach(toy.cof, NULL, NULL) != 0)
		return NULL;
	while (!over)
		for (int i = 0; i < METHODS; i++)
			call(i);
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

/* Any verdict will do: other programs on the machine make code slower. */
static void threads_come_to_a_verdict_on_each(void **state)
{
	struct cof_host host = the_host();
	struct cof *cof;

	(void)state;
	skip_under_valgrind();	/* running */
	assert_int_equal(cof_start(&host, OPTIONS "audit_s=1", NULL, &cof), 0);
	add_methods(cof, ALL);
	assert_int_equal(pthread_create(&guest, NULL, guest_main, NULL), 0);
	has_guest = true;
	wait_until(all_decided(), cof->flow);
	end_guest();
	stop();
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

/* Ends what a failed test left running. */
static int teardown(void **state)
{
	(void)state;
	end_guest();
	cof_free(toy.cof);
	cof_clock_injected = NULL;
	toy = (struct toy){ .cof = NULL };
	return 0;
}

#define T(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(all_that_are_slower_go_back_and_all_that_are_faster_stay),
		T(threads_come_to_a_verdict_on_each),
		T(without_an_audit_all_of_them_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

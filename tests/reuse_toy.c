/*
 * reuse_toy.c - phases that return, for real: sampled, profiled, audited, reused
 *
 * One method is hot in two phases of a guest thread, together with one of either
 * phase. What the host builds with a profile is faster each time, so that audits
 * keep it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "balance.h"
#include "counter.h"
#include "instance.h"

#define BOTH  2		/* hot in both phases; 0 and 1 in one of them */
#define N     3
#define TURNS (3u << 16)
#define STEP  4

static struct toy    toy;
static _Atomic int   phase;
static _Atomic bool  over;
static _Atomic long  wrong;

static int estimate(void *ctx, void *m, enum cof_plan now, enum cof_plan plan,
		    struct cof_estimate *out)
{
	(void)ctx, (void)m, (void)now;
	out->speedup = 1.5;
	out->cost_ns = 20000;
	return plan == COF_PLAN_PROFILE ? 0 : -1;
}

/* Each time some two thirds of the turns, with steps that are the longer. */
static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	static const uint32_t times[] = { STEP, 6, 8, 12, 16, 24 };
	struct counter *c = counter_of(ir);
	struct toy_method m = c->m;
	unsigned n = ++c->built;

	(void)plan;
	m.step = (int32_t)times[n < 5 ? n : 5];
	m.turns = TURNS / (uint32_t)m.step * STEP;
	if (counter_toy_build(ctx, &m, COF_PLAN_NONE, stop, out) != 0)
		return 1;
	out->plan = COF_PLAN_PROFILE;
	return 0;
}

static uint64_t counted(void *ctx, void *method)
{
	(void)ctx, (void)method;
	return 1000;
}

static void *guest_main(void *arg)
{
	(void)arg;
	if (cof_thread_attach(toy.cof, NULL, NULL) != 0)
		return NULL;
	while (!over) {
		int hot[2] = { phase, BOTH };

		for (int i = 0; i < 2; i++)
			if (toy_call(&counter[hot[i]].m, i).value !=
			    i + (long)TURNS * STEP)
				wrong++;
	}
	cof_thread_detach(toy.cof);
	return NULL;
}

static struct cof_flow *flow(void)
{
	return toy.cof->flow;
}

/* Of the method in both phases: number of the version, if that has a profile, and
 * the phase that is of, if it is known. 0: it has none. */
static uint32_t look(uint32_t *built_for)
{
	struct cof_version *v;
	uint32_t number = 0;

	*built_for = 0;
	pthread_mutex_lock(&toy.cof->code_lock);
	v = atomic_load(&counter[BOTH].m.method->current);
	if (v && !v->counting && v->plan == COF_PLAN_PROFILE) {
		number = v->number;
		*built_for = v->phase;
	}
	pthread_mutex_unlock(&toy.cof->code_lock);
	return number;
}

/* It has a version for the phase that the program is in, for good. */
static bool is_settled(uint32_t former)
{
	uint32_t built_for, number = look(&built_for);
	uint64_t now = flow()->phase.now;

	return now != 0 && number != 0 && number != former &&
	       (built_for == 0 || built_for == now) && flow()->audit.now == 0 &&
	       flow()->profile.counting == 0 && flow()->profile.full == 0;
}

static void a_phase_that_returns_needs_no_build(void **state)
{
	struct cof_host host = counter_host(&toy);
	static const char *const name[N] = { "only0", "only1", "both" };
	uint32_t version[2], built_for;
	unsigned builds;
	pthread_t guest;

	(void)state;
	unsetenv("COF_OPTIONS");
	host.estimate = estimate;
	host.build = build;
	host.build_group = NULL;
	host.counted = counted;
	assert_int_equal(cof_start(&host, "mode=full,stats=none,code_mb=16,"
				   "generation_ms=50,sample_hz=1000,gain_pct=0,"
				   "budget_permille=0,build_pct=6400,"
				   "profile_slow_pct=0,history=none",
				   NULL, &toy.cof), 0);
	for (int i = 0; i < N; i++) {
		counter[i].m = (struct toy_method){
			.name = name[i], .turns = TURNS, .step = STEP,
		};
		assert_int_equal(toy_add(&toy, &counter[i].m), 0);
	}
	assert_int_equal(pthread_create(&guest, NULL, guest_main, NULL), 0);
	for (int i = 0; i < 2; i++) {
		phase = i;
		wait_until(is_settled(i ? version[0] : 0), flow());
		version[i] = look(&built_for);
	}
	builds = counter[BOTH].built;
	for (int i = 0; i < 4; i++) {
		uint32_t want = version[i % 2];

		phase = i % 2;
		wait_until(look(&built_for) == want, flow());
		wait_until(flow()->reuse.reused > (uint64_t)i, flow());
	}
	assert_int_equal(counter[BOTH].built, builds);
	over = true;
	pthread_join(guest, NULL);
	cof_stop(toy.cof);
	assert_int_equal(wrong, 0);
	assert_null(unbalanced(toy.cof->flow));
	if (getenv("COF_TEST_SHOW"))
		show_flow(toy.cof->flow);
	cof_free(toy.cof);
	assert_int_equal(toy.discarded, toy.versions);
	assert_int_equal(toy.dropped, toy.gathered);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_phase_that_returns_needs_no_build),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_stepped_loop.c - a whole loop without threads and without real time
 *
 * The toy's methods are really called. The test says how long a call takes, by
 * the version that answered. So the run depends on nothing else from the first
 * sample to the verdicts, and a second run is equal to it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "hosts/toy/toy.h"
#include "stepped_loop.h"
#include "tests/support/libcof_threads.h"

#define METHODS 4u
#define MS      UINT64_C(1000000)
#define US      UINT64_C(1000)

/* How long a call takes at tier 0 and rebuilt. The promise is twice as fast. */
static const struct {
	const char *name;
	uint64_t    first_ns, then_ns;
} costs[METHODS] = {
	{ "faster", 400 * US, 200 * US }, { "slower", 300 * US, 400 * US },
	{ "same", 200 * US, 200 * US },   { "cold", 10, 10 },
};

static struct toy        toy;
static struct toy_method method[METHODS];
static char              replay[64];	/* a file's path; empty: none */

static int estimate(void *ctx, void *m, enum cof_plan now, enum cof_plan plan,
		    struct cof_estimate *out)
{
	(void)ctx, (void)m;
	*out = (struct cof_estimate){ .speedup = 2, .cost_ns = 2 * MS };
	return now == COF_PLAN_NONE && plan == COF_PLAN_SPEED ? 0 : -1;
}

static int (*toy_build)(void *ctx, void *ir, enum cof_plan plan,
			const int *stop, struct cof_version_desc *out);

static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	stepped_work(3 * MS);
	return toy_build(ctx, ir, plan, stop, out);
}

static void start(const char *more)
{
	struct cof_host host = toy_host(&toy);
	char options[400], why[COF_WHY_BYTES] = "";

	toy_build = host.build;
	host.estimate = estimate;
	host.build = build;
	snprintf(options, sizeof(options), "mode=co,audit=on,stats=none,"
		 "history=none,code_mb=16,audit_bans=1,%s", more);
	if (stepped_start(&host, options, strstr(more, "replay"), why) != 0)
		fail_msg("%s", why);
	toy.cof = stepped.cof;
	for (unsigned i = 0; i < METHODS; i++) {
		method[i] = (struct toy_method){
			.name = costs[i].name, .turns = 64, .step = (int)i,
		};
		assert_int_equal(toy_add(&toy, &method[i]), 0);
	}
}

static const struct cof_version *current(unsigned i)
{
	return atomic_load(&method[i].method->current);
}

/* Call each method once. */
static void pass(void)
{
	for (unsigned i = 0; i < METHODS; i++) {
		struct toy_answer a = toy_call(&method[i], 7);
		bool rebuilt = (a.version & 3) != COF_PLAN_NONE;

		assert_int_equal(a.value, 7 + 64 * (int)i);
		stepped_spend_in(method[i].method, rebuilt ? costs[i].then_ns :
							     costs[i].first_ns);
	}
}

static void run_for(uint64_t ns)
{
	uint64_t end_ns = stepped.now_ns + ns;

	while (stepped.now_ns < end_ns)
		pass();
}

static void finish(void)
{
	stepped_free();
	assert_int_equal(toy.discarded, toy.versions);
	assert_int_equal(toy.dropped, toy.gathered);
	toy = (struct toy){ .cof = NULL };
}

static int teardown(void **state)
{
	(void)state;
	if (replay[0])
		unlink(replay);
	replay[0] = '\0';
	if (stepped.cof)
		stepped_free();
	toy = (struct toy){ .cof = NULL };
	return 0;
}

static void three_minutes_of_it(void)
{
	start("");
	run_for(180 * STEPPED_S);
}

static void a_whole_run_comes_to_its_verdicts(void **state)
{
	const struct cof_flow *flow;

	(void)state;
	three_minutes_of_it();
	flow = stepped.cof->flow;
	if (getenv("COF_TEST_SHOW"))
		show_flow(flow);
	assert_int_equal(current(0)->plan, COF_PLAN_SPEED);
	assert_int_equal(current(1)->plan, COF_PLAN_NONE);
	assert_int_equal(current(3)->plan, COF_PLAN_NONE);
	/* Every stage of the loop took part. */
	assert_int_equal(flow->sampler.taken + stepped.n_pcs, stepped.fallen);
	assert_in_range(stepped.fallen, 179 * 250, 181 * 250);
	assert_true(flow->predictor.forecast > 0);
	assert_int_equal(flow->optimizer.built, 3);
	assert_int_equal(flow->optimizer.build_ns, 3 * 3 * MS);
	assert_int_equal(flow->audit.tried, 3);
	assert_int_equal(flow->audit.kept, 1);
	assert_int_equal(flow->audit.rolled_back, 1);
	assert_int_equal(flow->audit.now, 0);
	assert_true(flow->reclaim.freed > 0);
	assert_int_equal(flow->reclaim.waiting, 0);
	stepped_stop();
	assert_null(unbalanced(flow));
	finish();
}

/* -- Samples of a file ----------------------------------------------------- */

static void write_replay(void)
{
	FILE *f;

	snprintf(replay, sizeof(replay), "/tmp/cof-replay-%d", (int)getpid());
	f = fopen(replay, "w");
	assert_non_null(f);
	for (int i = 0; i < 50; i++)
		fprintf(f, "samples 40 faster+4\nsamples 2 slower\nwait 200\n");
	assert_int_equal(fclose(f), 0);
}

static void samples_of_a_file_drive_the_loop_too(void **state)
{
	const struct cof_flow *flow;
	char options[128];

	(void)state;
	write_replay();
	snprintf(options, sizeof(options), "source=replay,replay=%s", replay);
	start(options);
	flow = stepped.cof->flow;
	/* All methods are compiled, and none has samples yet. */
	for (unsigned i = 0; i < METHODS; i++)
		toy_call(&method[i], 7);
	stepped_spend(NULL, 12 * STEPPED_S);
	assert_int_equal(flow->sampler.taken, 50 * 42);
	assert_int_equal(flow->sampler.counted, 50 * 42);
	assert_int_equal(current(0)->plan, COF_PLAN_SPEED);
	assert_int_equal(current(2)->plan, COF_PLAN_NONE);
	assert_true(flow->optimizer.built > 0);
	stepped_stop();
	assert_null(unbalanced(flow));
	finish();
}

/* -- Twice ----------------------------------------------------------------- */

/* Memory counters depend on process and machine, not on the loop. */
static bool is_of_loop(const struct cof_flow_desc *d)
{
	return strcmp(d->stage, "memory") != 0;
}

static void a_second_run_is_equal_to_the_first(void **state)
{
	uint64_t *first = calloc(cof_flow_table_len, sizeof(*first));

	(void)state;
	assert_non_null(first);
	for (int run = 0; run < 2; run++) {
		three_minutes_of_it();
		stepped_stop();
		for (size_t i = 0; i < cof_flow_table_len; i++) {
			const struct cof_flow_desc *d = &cof_flow_table[i];
			uint64_t v = cof_flow_read(stepped.cof->flow, d);

			if (run == 0)
				first[i] = v;
			else if (is_of_loop(d) && v != first[i])
				fail_msg("%s %s: %llu, then %llu", d->stage,
					 d->name, (unsigned long long)first[i],
					 (unsigned long long)v);
		}
		finish();
	}
	free(first);
}

static void no_thread_is_made(void **state)
{
	(void)state;
	expect_libcof_threads(0);
	start("");
	run_for(5 * STEPPED_S);
	assert_int_equal(libcof_threads(), 0);
	assert_true(stepped.cof->flow->optimizer.turns > 0);
	finish();
}

#define T(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_whole_run_comes_to_its_verdicts),
		T(a_second_run_is_equal_to_the_first),
		T(samples_of_a_file_drive_the_loop_too),
		T(no_thread_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

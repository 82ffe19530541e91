/*
 * profiling.h - an instance whose forecasts and counts the test makes
 */
#pragma once

#include <pthread.h>

#include "tests/cof/optimizer/by_hand.h"
#include "counter.h"
#include "optimizer/instrumented/profile.h"
#include "predictor/predictor.h"

/* Generations are short. A method runs out of time only where that is tested.
 */
#define OPTIONS "stats=none,generation_ms=5,reclaim_ms=1,profile_counts=100," \
		"profile_generations=60000,"
#define BY_HAND "source=none,audit=off,profile_slow_pct=0"

static inline int setup(void **state)
{
	toy_run_reset(state);
	host = counter_host(&toy);
	return 0;
}

static inline void start(const char *options)
{
	toy_run_start(OPTIONS, options);
	for (int i = 0; i < N; i++)
		by_hand_add(&counter[i].m, i);
}

static inline void call_all(void)
{
	for (int i = 0; i < N; i++)
		by_hand_call(&counter[i].m);
}

/* Each method has its first version. */
static inline void begin(const char *options)
{
	start(options);
	call_all();
}

static inline struct cof_flow_profile *flow(void)
{
	return &toy.cof->flow->profile;
}

static inline void finish(void)
{
	call_all();
	toy_run_stop();
	assert_int_equal(toy.cof->flow->optimizer.profiled, flow()->picked);
	assert_int_equal(flow()->counting, 0);
	assert_int_equal(flow()->full, 0);
	toy_run_free();
}

static inline struct cof_version *current(int i)
{
	return by_hand_current(&counter[i].m);
}

struct seen {
	enum cof_plan plan;
	bool          counting;
	unsigned      number;
};

/* The current version; under the lock, as a record may be freed at any time. */
static inline struct seen seen(int i)
{
	const struct cof_version *v;
	struct seen s;

	pthread_mutex_lock(&toy.cof->code_lock);
	v = current(i);
	s = (struct seen){ v->plan, v->code.counting, v->number };
	pthread_mutex_unlock(&toy.cof->code_lock);
	return s;
}

static inline enum cof_plan plan(int i)
{
	return seen(i).plan;
}

static inline void forecast(int i, uint64_t samples)
{
	by_hand_forecast(&counter[i].m, samples);
}

/* PRE sleeps long without samples, and P/O with it. */
static inline bool go_on(void)
{
	cof_stage_wake(toy.cof->wake.predictor);
	cof_stage_wake(toy.cof->wake.optimizer);
	return true;
}

#define WAIT(cond) toy_run_until(go_on() && (cond))

/* Methods 0 to n - 1 count. */
static inline void count_all(int n)
{
	for (int i = 0; i < n; i++)
		forecast(i, 1000);
	WAIT(flow()->counting == (uint64_t)n);
}

static inline void fill_all(int n)
{
	for (int i = 0; i < n; i++)
		counter[i].counted = 1000;
}

/* Method i alone counts. */
static inline void count(int i)
{
	forecast(i, 1000);
	WAIT(flow()->counting == 1);
}

/* From a forecast to a version without a profile. */
static inline void speed_up(int i)
{
	forecast(i, 1000);
	WAIT(plan(i) == COF_PLAN_SPEED);
}

/* From a forecast to a version with its profile. */
static inline void profile(int i)
{
	unsigned built = (unsigned)flow()->built;

	count(i);
	counter[i].counted = 1000;
	WAIT(flow()->built == built + 1);
	WAIT(plan(i) == COF_PLAN_PROFILE);
}

/*
 * by_hand.h - methods of the toy host that the test itself forecasts
 *
 * Without a sample source PRE forecasts nothing, so the test is the only
 * producer of the forecasts ring.
 */
#pragma once

#include "optimizer/optimizer.h"
#include "predictor/forecast.h"
#include "tests/support/toy_run.h"

#define N 8	/* methods a test has */

/* Register method i of N; it has no version yet. */
static inline void by_hand_add(struct toy_method *m, int i)
{
	static const char *const name[N] = {
		"a", "b", "c", "d", "e", "f", "g", "h",
	};

	*m = (struct toy_method){
		.name = name[i], .turns = 64, .step = i + 1,
	};
	assert_int_equal(toy_add(&toy, m), 0);
}

static inline void by_hand_call(const struct toy_method *m)
{
	assert_int_equal(toy_call(m, 1).value, 1 + 64 * m->step);
}

static inline struct cof_version *by_hand_current(const struct toy_method *m)
{
	return atomic_load(&m->method->current);
}

/* Forecast method i as seen in `samples` samples. */
static inline void by_hand_forecast(const struct toy_method *m,
				    uint64_t samples)
{
	struct cof_version *v = by_hand_current(m);
	struct cof_forecast f = { .version = v, .weight = 12, .climbed = 2 };
	uint64_t w[COF_FORECAST_WORDS];

	atomic_store(&v->sampled.total, samples);
	cof_forecast_pack(&f, w);
	assert_true(cof_ring_push(&toy.cof->forecasts, w, COF_FORECAST_WORDS));
	cof_stage_wake(toy.cof->wake.optimizer);
}

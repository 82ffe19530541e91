/*
 * picker.h - a picker with a fake host: one method, and what is offered for it
 */
#pragma once

#include <string.h>

#include "instance.h"
#include "memory/mem.h"
#include "optimizer/policy/offers.h"
#include "optimizer/facts/sampled_time.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/policy/picker.h"
#include "base/role.h"

#define MS 1000000u

static struct cof cof;
static struct cof_flow flow;
static struct cof_picker picker;
static struct cof_method method;
static struct cof_version version;
static struct cof_estimate offer[COF_PLAN_COUNT];
static int no_plan;		/* fake_estimate() returns it */
static unsigned asked;

static inline int fake_estimate(void *ctx, void *m, enum cof_plan now,
				enum cof_plan plan, struct cof_estimate *out)
{
	assert_ptr_equal(ctx, &cof);
	assert_ptr_equal(m, &method);
	assert_int_equal(now, version.plan);
	assert_true(plan > now);
	asked++;
	*out = offer[plan];
	return no_plan;
}

static inline int setup(void **state)
{
	(void)state;
	cof_role = COF_ROLE_PICKER;
	memset(&cof, 0, sizeof(cof));
	memset(&flow, 0, sizeof(flow));
	memset(&method, 0, sizeof(method));
	memset(&version, 0, sizeof(version));
	memset(offer, 0, sizeof(offer));
	no_plan = 0;
	asked = 0;
	cof.flow = &flow;
	cof.host = (struct cof_host){
		.size = sizeof(cof.host), .name = "fake", .ctx = &cof,
		.estimate = fake_estimate,
	};
	cof_opts_init(&cof.opts);
	cof.opts.backoff_generations = 50;
	cof.opts.gain_pct = 2;
	cof.opts.unproven_pct = 100;
	cof_count_set(&flow.sampler.sample_ns, 4 * MS);
	cof_count_set(&flow.patcher.code_reserved, 1 << 20);
	method.cof = &cof;
	method.data = &method;
	method.name = (char *)"hot";
	version.method = &method;
	version.number = 7;
	atomic_store(&version.sampled.total, 100);		/* 400 ms */
	atomic_store(&method.current, &version);
	offer[COF_PLAN_SPEED] = (struct cof_estimate){ 2.0, 10 * MS };
	cof_picker_init(&picker, &cof.opts);
	return 0;
}

/* Each forecast became a build or was dropped for one reason. */
static inline int teardown(void **state)
{
	uint64_t in = 0, out = picker.picked;

	(void)state;
	for (size_t i = 0; i < cof_flow_table_len; i++) {
		const struct cof_flow_desc *d = &cof_flow_table[i];

		if (strcmp(d->stage, "optimizer") != 0)
			continue;
		if (d->kind == COF_FLOW_IN)
			in += cof_flow_read(&flow, d);
		if (d->kind == COF_FLOW_DROP)
			out += cof_flow_read(&flow, d);
	}
	cof_picker_free(&picker);
	return in == out ? 0 : -1;
}

static inline struct cof_build *look(void)
{
	struct cof_forecast f = { .version = &version, .weight = 10 };

	return cof_picker_look(&cof, &picker, &f);
}

static inline uint16_t flags(void)
{
	return cof_word_read(&version.word).flags;
}

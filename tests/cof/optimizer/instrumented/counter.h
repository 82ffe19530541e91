/*
 * counter.h - the toy host with profiles; counts its callbacks, and can fail
 * them
 *
 * A counting version is a toy version like the first one. The test sets what it
 * has counted; the counts go with it. A version with a profile is the toy's
 * best.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "hosts/toy/toy.h"

#define COUNTER_MAX 32

struct counter {
	struct toy_method m;	/* first: the host's data and IR */
	_Atomic uint64_t  counted;	/* what counted() says */
	void *_Atomic     counts;	/* version of the latest instrument() */
	_Atomic unsigned  instrumented, collected, built, in_unit;
	_Atomic bool      no_instrument, no_collect, no_build, no_group;
};

static struct counter counter[COUNTER_MAX];
static _Atomic unsigned counter_units;
static _Atomic bool counter_no_units;	/* build_unit() declines all */
static int (*counter_toy_build)(void *ctx, void *ir, enum cof_plan plan,
				const int *stop, struct cof_version_desc *out);

static void (*counter_toy_discard)(void *ctx, void *version);

/* The toy's IR is a copy of the method. */
static struct counter *counter_of(void *ir)
{
	for (int i = 0; i < COUNTER_MAX; i++)
		if (counter[i].m.method == ((struct toy_method *)ir)->method)
			return &counter[i];
	return NULL;
}

static int counter_compile(void *ctx, void *ir, enum cof_plan plan,
			   const int *stop, struct cof_version_desc *out)
{
	if (plan == COF_PLAN_PROFILE)
		plan = COF_PLAN_SPEED;	/* toy has no better code */
	return counter_toy_build(ctx, ir, plan, stop, out);
}

static int counter_build(void *ctx, void *ir, enum cof_plan plan,
			 const int *stop, struct cof_version_desc *out)
{
	struct counter *c = counter_of(ir);

	if (plan == COF_PLAN_PROFILE && c->no_build)
		return 1;
	if (counter_compile(ctx, ir, plan, stop, out) != 0)
		return 1;
	c->built++;
	return 0;
}

static int counter_instrument(void *ctx, void *ir, const int *stop,
			      struct cof_version_desc *out)
{
	struct counter *c = counter_of(ir);

	if (c->no_instrument ||
	    counter_compile(ctx, ir, COF_PLAN_NONE, stop, out) != 0)
		return 1;
	c->counts = out->data;
	c->instrumented++;
	return 0;
}

static uint64_t counter_counted(void *ctx, void *method)
{
	(void)ctx;
	return counter_of(method)->counted;
}

static int counter_collect(void *ctx, void *ir)
{
	struct counter *c = counter_of(ir);

	(void)ctx;
	if (c->no_collect || !c->counts)
		return 1;
	c->collected++;
	return 0;
}

static void counter_discard(void *ctx, void *version)
{
	for (int i = 0; i < COUNTER_MAX; i++)
		if (version && counter[i].counts == version)
			counter[i].counts = NULL;
	counter_toy_discard(ctx, version);
}

static int counter_build_unit(void *ctx, void *const *ir, size_t n,
			       enum cof_plan plan, const int *stop,
			       struct cof_version_desc *out)
{
	if (counter_no_units)
		return 1;
	counter_units++;
	for (size_t i = 0; i < n; i++) {
		struct counter *c = counter_of(ir[i]);

		if (out[i].size != sizeof(out[i]) || c->no_group ||
		    counter_compile(ctx, ir[i], plan, stop, &out[i]) != 0) {
			out[i].start = NULL;
			continue;
		}
		c->in_unit++;
	}
	return 0;
}

static inline struct cof_host counter_host(struct toy *t)
{
	struct cof_host h = toy_host(t);

	memset(counter, 0, sizeof(counter));
	counter_units = 0;
	counter_no_units = false;
	counter_toy_build = h.build;
	counter_toy_discard = h.discard;
	h.discard = counter_discard;
	h.build = counter_build;
	h.instrument = counter_instrument;
	h.counted = counter_counted;
	h.collect = counter_collect;
	h.build_unit = counter_build_unit;
	return h;
}

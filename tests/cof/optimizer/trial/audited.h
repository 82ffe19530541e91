/*
 * audited.h - trials by hand
 *
 * The test makes turns by hand, with a clock of its own, and makes up samples:
 * of each slice's samples a part falls in the current version, in proportion to
 * the time that it takes. No method runs.
 */
#pragma once

#include <string.h>

#include "tests/support/balance.h"
#include "instance.h"
#include "optimizer/trial/audit.h"
#include "patcher/patcher.h"
#include "tests/support/piece.h"
#include "base/role.h"
#include "tests/support/ticking.h"

#define METHODS 3
#define SLICE_SAMPLES 2000

static struct cof        *cof;
static struct cof_method *method[METHODS];
static double             cost[METHODS];	/* of B over A */
static uint64_t           slices;

/* What the host was told. */
static unsigned told, stayed, told_permille;
static int   told_stays;
static void *told_of;
static enum cof_plan told_over;

static inline void take_result(void *ctx, void *m, void *version, int stays,
			       unsigned permille, enum cof_plan over)
{
	(void)ctx, (void)version;
	told++;
	told_of = m;
	told_stays = stays;
	stayed += stays != 0;
	told_permille = permille;
	told_over = over;
}

static unsigned progress_told, progress_permille, progress_error;

static inline void take_progress(void *ctx, void *m, void *version,
				 unsigned permille, unsigned error_permille,
				 enum cof_plan over)
{
	(void)ctx, (void)m, (void)version, (void)over;
	progress_told++;
	progress_permille = permille;
	progress_error = error_permille;
}

static inline int start(const char *more)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .trial_result = take_result,
				 .trial_progress = take_progress };
	char options[160] = "mode=off,stats=none,code_mb=16,audit=on,"
			    "audit_turn_ms=1,";

	told = stayed = progress_told = 0;
	cof_role = COF_ROLE_PICKER;
	ticking_begin(2000);
	strcat(options, more);
	if (cof_start(&host, options, NULL, &cof) != 0 ||
	    cof_audit_start(cof) != 0)
		return -1;
	slices = 0;
	for (int i = 0; i < METHODS; i++) {
		method[i] = piece_method(cof, &method[i]);
		piece_add_return(cof, method[i], 10 * i);
	}
	return 0;
}

static inline int setup(void **state)
{
	(void)state;
	return start("audit_s=3600");
}

/* Every run tries proven versions again. */
static inline int setup_retry(void **state)
{
	(void)state;
	return start("audit_s=3600,audit_retry_runs=1");
}

static inline int setup_short(void **state)
{
	(void)state;
	return start("audit_s=1");
}

static inline int teardown(void **state)
{
	(void)state;
	cof_audit_stop(cof);
	assert_null(unbalanced(cof->flow));
	assert_int_equal(cof->flow->patcher.parked, 0);
	assert_int_equal(cof->flow->audit.now, 0);
	for (int i = 0; i < METHODS; i++) {
		assert_int_equal(method[i]->thunk.callers, COF_THUNKED_NO);
		assert_int_equal(method[i]->thunk.inside, 0);
	}
	cof_free(cof);
	ticking_end();
	cof_role = COF_ROLE_APP;
	return 0;
}

static inline struct cof_version *current(int i)
{
	return atomic_load(&method[i]->current);
}

static inline int run(int i)
{
	return piece_run(cof_method_stub(method[i]));
}

struct built {
	enum cof_plan plan;
	uint32_t      unit;
	bool          counting;
	bool          early, same;
	unsigned      progress_permille, progress_error, proven_permille;
	struct cof_method *inlined;
};

/* A version of method i that returns `value` replaces the current one. */
static inline struct cof_version *build(int i, int value, struct built how)
{
	struct cof_version *over = current(i), *v;
	struct piece p = { .n = 0 };
	struct cof_version_desc d;
	int err;

	piece_return(&p, value);
	d = piece_place(cof, &p, NULL);
	d.plan = how.plan;
	d.same_as_first = how.same;
	d.inlined = &how.inlined;
	d.n_inlined = how.inlined != NULL;
	v = cof_patcher_prepare(method[i], &d, &err);
	assert_non_null(v);
	v->code.counting = how.counting;
	v->promise.cached = how.early;
	v->promise.progress_permille = how.progress_permille;
	v->promise.progress_error = how.progress_error;
	v->promise.proven_permille = how.proven_permille;
	v->promise.unit = how.unit;
	v->promise.speedup = v->promise.promised = how.counting ? 0 : 1.5;
	assert_true(cof_patcher_install(v, over, true));
	cof_audit_installed(cof, method[i], over, v);
	return v;
}

static const struct built speed = { .plan = COF_PLAN_SPEED };
static const struct built profiled = { .plan = COF_PLAN_PROFILE };

static inline void credit(struct cof_version *v, uint64_t n)
{
	cof_count_add(&v->sampled.total, n);
	cof_count_add(&v->method->samples, n);
	cof_count_add(&cof->flow->sampler.counted, n);
	cof_count_add(&cof->flow->sampler.taken, n);
}

/* Makes turns until a slice has ended, with its samples made up. */
static inline void slice(const struct cof_version *b[METHODS])
{
	double part[METHODS], all = 1;

	for (int i = 0; i < METHODS; i++) {
		part[i] = current(i) == b[i] ? cost[i] : 1;
		all += part[i];
	}
	for (int i = 0; i < METHODS; i++)
		credit(current(i), (uint64_t)(SLICE_SAMPLES * part[i] / all));
	cof_count_add(&cof->flow->sampler.taken,
		      (uint64_t)(SLICE_SAMPLES / all));
	cof_count_add(&cof->flow->sampler.drop_NATIVE,
		      (uint64_t)(SLICE_SAMPLES / all));
	slices = cof->flow->audit.turns;
	while (cof->flow->audit.turns == slices && cof->flow->audit.now > 0)
		cof_audit_turn(cof, NULL);
}

static inline void until_the_end(const struct cof_version *b[METHODS])
{
	cof_audit_turn(cof, NULL);
	while (cof->flow->audit.now > 0)
		slice(b);
}

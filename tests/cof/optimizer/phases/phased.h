/*
 * phased.h - versions for phases, with turns, phases and samples made by the
 * test
 */
#pragma once

#include <string.h>

#include "tests/support/balance.h"
#include "instance.h"
#include "optimizer/trial/audit.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/phases/phase_reuse.h"
#include "patcher/patcher.h"
#include "tests/support/piece.h"
#include "predictor/phase.h"
#include "process/barrier.h"
#include "base/role.h"
#include "tests/support/ticking.h"

static struct cof        *cof;
static struct cof_method *method;
static uint32_t           begun;

static inline int start(const char *more)
{
	struct cof_host host = { .size = sizeof(host), .name = "test" };
	char options[160] = "mode=off,stats=none,code_mb=16,audit=on,"
			    "audit_turn_ms=1,audit_s=3600,";

	strcat(options, more);
	cof_role = COF_ROLE_PICKER;
	ticking_begin(2000);
	begun = 0;
	if (cof_start(&host, options, NULL, &cof) != 0 ||
	    cof_audit_start(cof) != 0 || cof_phase_reuse_start(cof) != 0)
		return -1;
	method = piece_method(cof, NULL);
	piece_add_return(cof, method, 0);
	return 0;
}

static inline int setup(void **state)
{
	(void)state;
	return start("phase_versions=3");
}

static inline int setup_small(void **state)
{
	(void)state;
	return start("phase_kb=0");
}

static inline int teardown(void **state)
{
	(void)state;
	cof_stop(cof);
	assert_null(unbalanced(cof->flow));
	assert_int_equal(cof->flow->patcher.parked, 0);
	assert_int_equal(cof->flow->reuse.parked, 0);
	assert_int_equal(cof->flow->reuse.parked_bytes, 0);
	cof_free(cof);
	ticking_end();
	cof_role = COF_ROLE_APP;
	return 0;
}

static inline struct cof_version *current(void)
{
	return atomic_load(&method->current);
}

static inline int run(void)
{
	return piece_run(cof_method_stub(method));
}

/* PRE's part, and P/O's turn. */
static inline void enter(uint32_t phase)
{
	begun += phase != 0;
	atomic_store(&cof->phase, (uint64_t)begun << 32 | phase);
	if (cof_phase_reuse_turn(cof))
		cof_barrier(cof);
}

static inline struct cof_version *install(int value, uint32_t phase)
{
	struct cof_version *over = current(), *v;
	struct piece p = { .n = 0 };
	struct cof_version_desc d;
	int err;

	piece_return(&p, value);
	d = piece_place(cof, &p, NULL);
	d.plan = COF_PLAN_PROFILE;
	v = cof_patcher_prepare(method, &d, &err);
	assert_non_null(v);
	v->promise.speedup = 1.2;
	v->phase.id = phase;
	assert_true(cof_patcher_install(v, over, true));
	cof_audit_installed(cof, method, over, v);
	return v;
}

static inline void credit(struct cof_version *v, uint64_t n)
{
	cof_count_add(&v->sampled.total, n);
	cof_count_add(&v->method->samples, n);
	cof_count_add(&cof->flow->sampler.counted, n);
	cof_count_add(&cof->flow->sampler.taken, n);
}

/* One turn of a trial; `b` takes `cost` of the time of the version before. */
static inline void slice(const struct cof_version *b, double cost)
{
	uint64_t slices = cof->flow->audit.turns;
	double part = current() == b ? cost : 1;

	credit(current(), (uint64_t)(2000 * part / (1 + part)));
	cof_count_add(&cof->flow->sampler.taken, (uint64_t)(2000 / (1 + part)));
	cof_count_add(&cof->flow->sampler.drop_NATIVE,
		      (uint64_t)(2000 / (1 + part)));
	while (cof->flow->audit.turns == slices && cof->flow->audit.now > 0)
		cof_audit_turn(cof, NULL);
}

static inline void until_judged(const struct cof_version *b, double cost)
{
	cof_audit_turn(cof, NULL);
	while (cof->flow->audit.now > 0)
		slice(b, cost);
}

/* Install a version for the present phase; its trial keeps it. */
static inline struct cof_version *build(int value)
{
	struct cof_version *v = install(value, cof_program_phase_now(cof));

	until_judged(v, 0.7);
	assert_ptr_equal(current(), v);
	return v;
}

/* The program enters the phase, which gets a version of its own. */
static inline struct cof_version *build_in(uint32_t phase, int value)
{
	enter(phase);
	return build(value);
}

/* The first phase has its version, *a; that of the second is on trial. */
static inline struct cof_version *try_second(struct cof_version **a)
{
	struct cof_version *b;

	*a = build_in(1, 1);
	enter(2);
	b = install(2, 2);
	cof_audit_turn(cof, NULL);
	return b;
}

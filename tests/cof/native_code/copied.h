/*
 * copied.h - a method whose first version is the host's own code, and has, or
 * gets, a copy
 *
 * The host may be asked to take its jump at the entry back, and refuses if it
 * is told to.
 */
#pragma once

#include <stdbool.h>

#include "optimizer/trial/audit.h"
#include "patcher/patcher.h"
#include "process/barrier.h"
#include "sampler/credit.h"
#include "tests/cof/api/own_code.h"
#include "tests/cof/reclaim/reclaim.h"

enum { FIRST = 1, NEW = 2, COPY = 11 };	/* what they return */

static struct cof_version_desc first, copy;
static struct cof_version     *version0;

static unsigned char as_compiled[OWN_JUMP];	/* of version 0's entry */
static unsigned      directs;			/* calls */
static bool          refuses;

static int entry_direct(void *ctx, void *data, int direct)
{
	(void)ctx;
	(void)data;
	directs++;
	if (refuses)
		return 1;
	if (direct)
		memcpy((void *)(uintptr_t)first.start, as_compiled,
		       sizeof(as_compiled));
	else
		assert_true(own_redirect(first.start, cof_method_stub(method)));
	return cof_barrier_sync_core();
}

static int setup_copied(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .discard = discard,
				 .entry_direct = entry_direct };

	(void)state;
	own_open();
	host.near = own_page;
	discarded = directs = 0;
	refuses = false;
	cof_role = COF_ROLE_PICKER;
	if (cof_start(&host, "mode=off,stats=none,code_mb=16,reclaim_ms=1,"
		      "audit=on", NULL, &cof) != 0 || cof_audit_start(cof) != 0)
		return -1;
	method = piece_method(cof, NULL);
	first = own_return(FIRST);
	copy = own_return(COPY);
	first.data = &first;
	copy.data = &copy;
	if (cof_version_add(method, &first) != 0)
		return -1;
	version0 = atomic_load(&method->current);
	return 0;
}

static int teardown_copied(void **state)
{
	unsigned records, before = discarded;

	(void)state;
	cof_role = COF_ROLE_PICKER;
	if (version0->state == COF_VERSION_PARKED)
		cof_patcher_retire(version0);
	cof_audit_stop(cof);
	assert_null(unbalanced(cof->flow));
	assert_int_equal(cof->flow->patcher.parked, 0);
	/* Each record that is left is discarded once. */
	records = (unsigned)count(&cof->flow->memory.versions);
	cof_free(cof);
	assert_int_equal(discarded, before + records);
	own_close();
	cof_role = COF_ROLE_APP;
	return 0;
}

static inline int by_stub(void)
{
	return piece_run(cof_method_stub(method));
}

static inline int by_bare_entry(void)
{
	return piece_run(first.start);
}

/* Copy and redirect as a host does. */
static inline void copy_and_redirect(void)
{
	memcpy(as_compiled, first.start, sizeof(as_compiled));
	assert_int_equal(cof_version_copy(method, &copy), 0);
	assert_true(own_redirect(first.start, cof_method_stub(method)));
	assert_int_equal(cof_barrier_sync_core(), 0);
}

/* Install a version that libcof had built: version 0 is PARKED. `same`: the
 * host says that it is the same code, though the test is to see which runs. */
static inline struct cof_version *build_over_as(bool same)
{
	struct piece p = { .n = 0 };
	struct cof_version_desc d;
	struct cof_version *v;
	int err;

	piece_return(&p, NEW);
	d = piece_place(cof, &p, NULL);
	d.plan = COF_PLAN_SPEED;
	d.same_as_first = same;
	v = cof_patcher_prepare(method, &d, &err);
	assert_non_null(v);
	assert_true(cof_patcher_install(v, version0, true));
	return v;
}

static inline struct cof_version *build_over(void)
{
	return build_over_as(false);
}

/* Behind the jump, if there is one. */
static inline void sample_at(const struct cof_version_desc *d)
{
	cof_role = COF_ROLE_SAMPLER;
	cof_credit(cof, (uintptr_t)d->start + OWN_JUMP);
	cof_role = COF_ROLE_PICKER;
}

/*
 * patched.h - an instance with the loop off, and a method to patch
 */
#pragma once

#include "instance.h"
#include "patcher/patcher.h"
#include "tests/support/balance.h"
#include "tests/support/piece.h"

static struct cof        *cof;
static struct cof_method *method;
static unsigned           discarded, dropped;

static inline void discard(void *ctx, void *version)
{
	(void)ctx;
	(void)version;
	discarded++;
}

static inline void drop(void *ctx, void *ir)
{
	(void)ctx;
	assert_ptr_equal(ir, &dropped);
	dropped++;
}

static inline int start(const char *options)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .discard = discard, .drop = drop };

	discarded = dropped = 0;
	if (cof_start(&host, options, NULL, &cof) != 0)
		return -1;
	return cof_method_add(cof, "m", &method, &method);
}

static inline int setup(void **state)
{
	(void)state;
	return start("mode=off,stats=none,code_mb=16");
}

static inline int teardown(void **state)
{
	(void)state;
	assert_null(unbalanced(cof->flow));
	cof_free(cof);
	return 0;
}

static inline uint64_t count(const cof_count *c)
{
	return cof_count_get(c);
}

static inline struct cof_version_desc a_desc(int value)
{
	struct piece p = { .n = 0 };

	piece_return(&p, value);
	return piece_place(cof, &p, NULL);
}

static inline struct cof_version *prepare(int value)
{
	struct cof_version_desc d = a_desc(value);
	int err = 1;
	struct cof_version *v = cof_patcher_prepare(method, &d, &err);

	assert_non_null(v);
	assert_int_equal(err, 0);
	return v;
}

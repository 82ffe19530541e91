/*
 * indexed.h - an index of code, and versions to put into it
 */
#pragma once

#include <string.h>

#include "code/jitinfo.h"
#include "code/version.h"
#include "cof.h"

#define BASE ((uintptr_t)0x7f1234567000)	/* a page */
#define PAGE ((uintptr_t)4096)
#define MANY 512u

static struct cof_jitinfo *ix;
static struct cof_version  v[MANY];

static inline int setup(void **state)
{
	(void)state;
	memset(v, 0, sizeof(v));
	ix = cof_jitinfo_new();
	return ix ? 0 : -1;
}

static inline int teardown(void **state)
{
	(void)state;
	cof_jitinfo_free(ix);
	return 0;
}

static inline int add(struct cof_version *version, uintptr_t start,
		      uintptr_t end)
{
	version->code.start = start;
	version->code.end = end;
	return cof_jitinfo_add(ix, version);
}

static inline void check_edges(struct cof_version *version)
{
	assert_ptr_equal(cof_jitinfo_find(ix, version->code.start), version);
	assert_ptr_equal(cof_jitinfo_find(ix, version->code.end - 1), version);
	assert_ptr_not_equal(cof_jitinfo_find(ix, version->code.start - 1),
			     version);
	assert_ptr_not_equal(cof_jitinfo_find(ix, version->code.end), version);
}

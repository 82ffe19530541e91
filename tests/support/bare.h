/*
 * bare.h - an instance with a sampler and no other stage
 *
 * Made by hand, so that a test can read the words before PRE takes them. Its
 * code is a range of its own with one loop.
 */
#pragma once

#include <string.h>

#include "code/jitinfo.h"
#include "codemem/code_range.h"
#include "instance.h"
#include "memory/mem.h"
#include "process/forked.h"
#include "process/process.h"
#include "sampler/sampler.h"
#include "stats/stats_file.h"
#include "threads/threads.h"

struct bare {
	struct cof            cof;
	uint64_t              touched[64];
	struct cof_code_range code;
	struct cof_method     method;	/* spin(); cof does not know it */
	struct cof_version    version;	/* of it; in the index */
};

typedef long bare_fn(long);

/* Counts its argument down: mov rax, rdi; 1: dec rax; jnz 1b; ret */
static const unsigned char bare_spin[] = {
	0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3,
};

/* Returns 0, or a negative value. */
static inline int bare_open(struct bare *b, const char *options)
{
	memset(b, 0, sizeof(*b));
	cof_opts_init(&b->cof.opts);
	if (options && cof_opts_parse(&b->cof.opts, options, NULL, 0) != 0)
		return -COF_E_INVAL;
	b->cof.forks = cof_forked_count();
	pthread_mutex_init(&b->cof.code_lock, NULL);
	pthread_mutex_init(&b->cof.log_lock, NULL);
	cof_ring_init(&b->cof.touched, b->touched, 64);
	b->cof.stats_file = cof_stats_file_open("none", "bare", "");
	b->cof.index = cof_jitinfo_new();
	b->cof.threads = cof_threads_new(&cof_sampler_threads_hooks);
	if (!b->cof.stats_file || !b->cof.index || !b->cof.threads ||
	    cof_code_range_map(&b->code, 1 << 20, 1 << 16, NULL, 0) != 0)
		return -COF_E_NOMEM;
	b->cof.flow = b->cof.stats_file->flow;
	memcpy(b->code.write, bare_spin, sizeof(bare_spin));
	b->version.method = &b->method;
	b->version.code.start = b->version.code.entry = (uintptr_t)b->code.exec;
	b->version.code.end = b->version.code.start + sizeof(bare_spin);
	return cof_jitinfo_add(b->cof.index, &b->version);
}

static inline void bare_close(struct bare *b)
{
	cof_sampler_stop(&b->cof);
	cof_sampler_free(&b->cof);
	cof_jitinfo_remove(b->cof.index, &b->version);
	cof_threads_free(b->cof.threads);
	cof_jitinfo_free(b->cof.index);
	cof_code_range_unmap(&b->code);
	cof_stats_file_close(b->cof.stats_file);
	b->cof.stats_file = NULL;
	pthread_mutex_destroy(&b->cof.code_lock);
	pthread_mutex_destroy(&b->cof.log_lock);
}

/*
 * Empty the ring to PRE. Returns how often the version was on it; UINT64_MAX if
 * anything else was on it.
 */
static inline uint64_t bare_touched(struct bare *b)
{
	uint64_t rec, n = 0;

	while (cof_ring_pop(&b->cof.touched, &rec, 1)) {
		if (rec != (uintptr_t)&b->version)
			return UINT64_MAX;
		n++;
	}
	return n;
}

static inline bare_fn *bare_code(const struct bare *b)
{
	return (bare_fn *)(uintptr_t)b->version.code.entry;
}

/*
 * flow.h - the counters of flow.def, as C
 *
 * There is one struct per stage, each on its own cache lines, so that no stage
 * waits for another's. Any thread may read, and so does cof-stats in another
 * process. A counter is never torn, but two counters are not a snapshot.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define COF_CACHELINE 64	/* bytes */

typedef _Atomic uint64_t cof_count;

/* struct cof_flow_sampler { cof_count taken, counted, drop_NATIVE, ...; } */
#define COF_STAGE(s)               struct cof_flow_##s {
#define COF_IN(s, name, unit, doc)   cof_count name;
#define COF_OUT(s, name, unit, doc)  cof_count name;
#define COF_STAT(s, name, unit, doc) cof_count name;
#define COF_DROP(s, NAME, doc)       cof_count drop_##NAME;
#define COF_STAGE_END(s)           };
#include "base/flow.def"

/* struct cof_flow { struct cof_flow_sampler sampler; ...; } */
struct cof_flow {
#define COF_STAGE(s) _Alignas(COF_CACHELINE) struct cof_flow_##s s;
#define COF_IN(s, name, unit, doc)
#define COF_OUT(s, name, unit, doc)
#define COF_STAT(s, name, unit, doc)
#define COF_DROP(s, NAME, doc)
#define COF_STAGE_END(s)
#include "base/flow.def"
};

enum cof_flow_kind { COF_FLOW_IN, COF_FLOW_OUT, COF_FLOW_DROP, COF_FLOW_STAT };

struct cof_flow_desc {
	const char        *stage;
	const char        *name;
	const char        *unit;
	const char        *doc;
	enum cof_flow_kind kind;
	size_t             offset;	/* in struct cof_flow, bytes */
};

extern const struct cof_flow_desc cof_flow_table[];
extern const size_t               cof_flow_table_len;

/* Add to a counter that only one thread writes: no locked instruction. */
static inline void cof_count_add(cof_count *c, uint64_t n)
{
	uint64_t v = atomic_load_explicit(c, memory_order_relaxed);

	atomic_store_explicit(c, v + n, memory_order_relaxed);
}

/* Add to a counter that several threads write. n may be a negated count. */
static inline void cof_count_add_shared(cof_count *c, uint64_t n)
{
	atomic_fetch_add_explicit(c, n, memory_order_relaxed);
}

static inline void cof_count_set(cof_count *c, uint64_t v)
{
	atomic_store_explicit(c, v, memory_order_relaxed);
}

static inline uint64_t cof_count_get(const cof_count *c)
{
	return atomic_load_explicit((cof_count *)c, memory_order_relaxed);
}

static inline uint64_t cof_flow_read(const struct cof_flow *f,
				     const struct cof_flow_desc *d)
{
	return cof_count_get((const cof_count *)((const char *)f + d->offset));
}

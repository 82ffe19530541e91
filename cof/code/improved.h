/*
 * improved.h - why the samples of a method fall in code libcof did not build
 *
 *	P/O, or the host    stores in the method why it is not better
 *	SAM                 counts each sample: in a rebuilt version, or by that
 *	cof-stats           shows the reasons as shares of the sampled time
 *
 * A reason holds from when it was stored, so a share is of the time in which
 * that was so. Two reasons outlast others: the host's, and that a trial has
 * measured better plans to be slower.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/flow.h"

#define COF_IMPROVED_HOST_REASONS 10u	/* HOST_1 to HOST_10 of flow.def */

/* The drops of flow.def's stage `improved` that are libcof's own. */
#define COF_IMPROVED_REASONS(X)						\
	X(NOT_PICKED) X(UNDER_WAY) X(HINDERED) X(NO_ESTIMATE)		\
	X(NOT_WORTH) X(NO_IR) X(DECLINED) X(DRY_RUN) X(SLOWER)

enum cof_improved_why {
#define COF_IMPROVED_ENUM(name) COF_IMPROVED_##name,
	COF_IMPROVED_REASONS(COF_IMPROVED_ENUM)
#undef COF_IMPROVED_ENUM
	COF_IMPROVED_OWN_COUNT
};

/* Both atomic, relaxed: nothing is ordered by them. */
struct cof_method_improved {
	_Atomic uint32_t why;	/* enum cof_improved_why; P/O writes */
	_Atomic uint32_t hosts;	/* the host's reason, from 1; 0: none */
};

/* Thread: P/O. */
static inline void cof_improved_set(struct cof_method_improved *of,
				    enum cof_improved_why reason)
{
	uint32_t now = atomic_load_explicit(&of->why, memory_order_relaxed);

	if (now == COF_IMPROVED_SLOWER && (reason == COF_IMPROVED_NO_ESTIMATE ||
					   reason == COF_IMPROVED_NOT_WORTH))
		return;
	atomic_store_explicit(&of->why, (uint32_t)reason, memory_order_relaxed);
}

/* The drop to count for a sample in code that libcof did not build. Any
 * thread. */
static inline cof_count *cof_improved_drop(struct cof_flow_improved *flow,
					   const struct cof_method_improved *of)
{
	cof_count *const own[] = {
#define COF_IMPROVED_DROP(name) &flow->drop_##name,
		COF_IMPROVED_REASONS(COF_IMPROVED_DROP)
#undef COF_IMPROVED_DROP
	};
	struct cof_method_improved *m =
		(struct cof_method_improved *)(uintptr_t)of;
	uint32_t hosts = atomic_load_explicit(&m->hosts, memory_order_relaxed);

	/* The host's follow one another in flow.def. */
	if (hosts > 0)
		return &flow->drop_HOST_1 + (hosts - 1);
	return own[atomic_load_explicit(&m->why, memory_order_relaxed)];
}

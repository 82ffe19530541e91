/*
 * queue.h - builds that wait for a worker, the most urgent first
 *
 * A binary heap by urgency (expected gain per ns of cost); among equals first
 * come, first served. A unit of several methods is one element: the first of
 * them, which leads to the others.
 *
 * Not safe for two threads at a time: workers.lock guards it (worker.h).
 * Owner: a build belongs to whoever took it off; put gives it to the queue.
 */
#ifndef COF_OPTIMIZER_QUEUE_H
#define COF_OPTIMIZER_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"

struct cof_method;

enum cof_build_kind {
	COF_BUILD_PLAN,		/* build() with a plan */
	COF_BUILD_COUNTING,	/* instrument() */
	COF_BUILD_PROFILED,	/* collect(), then with COF_PLAN_PROFILE */
	COF_BUILD_OSR,		/* osr() of `from` */
};

enum cof_build_end {
	COF_BUILD_DONE,		/* desc is filled in, and ours */
	COF_BUILD_NO_IR,
	COF_BUILD_NO_PROFILE,	/* collect() found nothing */
	COF_BUILD_DECLINED,
};

struct cof_build {
	/* Constant once queued. */
	enum cof_build_kind kind;
	struct cof_method *method;
	uint32_t           over;	/* number of the version to replace, not
					 * a pointer: its record may be gone by
					 * the time the build is done */
	enum cof_plan      plan;
	double             speedup;	/* expected over that version */
	double             urgency;
	uint64_t           estimated_ns;	/* by the host, CPU time */
	uint64_t           expected_ns;		/* of this build; of the first
						 * one, of the whole unit */
	struct cof_build  *peer;	/* PROFILED: the next of the unit */
	uint32_t           unit;	/* its number; 0: alone */
	const void        *known;	/* PROFILED: for profile_load(), in the
					 * place of collect(); NULL: none */
	size_t             known_bytes;
	struct cof_version *from;	/* OSR: held, so its record stays */

	/* The queue's. */
	uint64_t           ticket;

	/* Written by the worker; P/O's once done. */
	enum cof_build_end end;
	struct cof_version_desc desc;
	bool               gathered;		/* the IR, this time */
	bool               collected;		/* the profile */
	bool               grouped;		/* by build_group() */
	uint64_t           gather_ns, build_ns;	/* CPU time */
	uint64_t           collect_ns;
	struct cof_build  *next;		/* of those done */
};

struct cof_queue {
	struct cof_build **heap;
	uint32_t           n, room;
	uint64_t           tickets;
};

/* 0 or -COF_E_NOMEM: then the build is still the caller's. */
int  cof_queue_put(struct cof_queue *queue, struct cof_build *build);

/* The most urgent one, or NULL: empty. */
struct cof_build *cof_queue_take(struct cof_queue *queue);

/* The most urgent of those expected to take at most `most_ns`. NULL: none. */
struct cof_build *cof_queue_take_short(struct cof_queue *queue,
				       uint64_t most_ns);

/* Frees the heap; the queue must be empty. */
void cof_queue_free(struct cof_queue *queue);

#endif /* COF_OPTIMIZER_QUEUE_H */

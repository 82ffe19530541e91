/*
 * queue.h - builds that wait for a worker, the most urgent first
 *
 * A binary heap by urgency (expected gain per ns of cost); among equals first
 * come, first served.
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

enum cof_build_end {
	COF_BUILD_DONE,		/* desc is filled in, and ours */
	COF_BUILD_NO_IR,
	COF_BUILD_DECLINED,
};

struct cof_build {
	/* Constant once queued. */
	struct cof_method *method;
	uint32_t           over;	/* number of the version to replace, not
					 * a pointer: its record may be gone by
					 * the time the build is done */
	enum cof_plan      plan;
	double             speedup;	/* expected over that version */
	double             urgency;
	uint64_t           estimated_ns;	/* by the host, CPU time */

	/* The queue's. */
	uint64_t           ticket;

	/* Written by the worker; P/O's once done. */
	enum cof_build_end end;
	struct cof_version_desc desc;
	bool               gathered;		/* the IR, this time */
	uint64_t           gather_ns, build_ns;	/* CPU time */
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

/* Frees the heap; the queue must be empty. */
void cof_queue_free(struct cof_queue *queue);

#endif /* COF_OPTIMIZER_QUEUE_H */

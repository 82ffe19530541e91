/*
 * queue.h - builds that wait for a worker, the most urgent first
 *
 * A binary heap by urgency (expected gain per ns of cost). Equals leave in the
 * order in which they came. A unit of several methods is one element: its first
 * build, which links to the others.
 *
 * Not safe for two threads at a time: workers.lock guards it (worker.h).
 * Owner: put gives a build to the queue; take gives it to the caller.
 */
#pragma once

#include <stdint.h>

#include "optimizer/build/build.h"

struct cof_queue {
	struct cof_build **heap;
	uint32_t           n, room;
	uint64_t           tickets;
};

/* 0 or -COF_E_NOMEM: the caller still owns the build. */
int  cof_queue_put(struct cof_queue *queue, struct cof_build *build);

/* The most urgent build. NULL: the queue is empty. */
struct cof_build *cof_queue_take(struct cof_queue *queue);

/* The most urgent build expected to take at most `most_ns`. NULL: none. */
struct cof_build *cof_queue_take_short(struct cof_queue *queue,
				       uint64_t most_ns);

/* Frees the heap; the queue must be empty. */
void cof_queue_free(struct cof_queue *queue);

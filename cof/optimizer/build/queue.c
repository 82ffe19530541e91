/*
 * queue.c - a binary heap of builds
 */
#include "optimizer/build/queue.h"

#include <assert.h>
#include <stdbool.h>

#include "memory/mem.h"

static bool before(const struct cof_build *a, const struct cof_build *b)
{
	if (a->urgency != b->urgency)
		return a->urgency > b->urgency;
	return a->ticket < b->ticket;
}

/* Place `build` at the free index `i` or above. */
static void sift_up(struct cof_queue *queue, uint32_t i,
		    struct cof_build *build)
{
	for (; i > 0; i = (i - 1) / 2) {
		struct cof_build *parent = queue->heap[(i - 1) / 2];

		if (!before(build, parent))
			break;
		queue->heap[i] = parent;
	}
	queue->heap[i] = build;
}

/* Place `build` at the free index `i` or below. */
static void sift_down(struct cof_queue *queue, uint32_t i,
		      struct cof_build *build)
{
	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child >= queue->n)
			break;
		if (child + 1 < queue->n &&
		    before(queue->heap[child + 1], queue->heap[child]))
			child++;
		if (!before(queue->heap[child], build))
			break;
		queue->heap[i] = queue->heap[child];
		i = child;
	}
	queue->heap[i] = build;
}

int cof_queue_put(struct cof_queue *queue, struct cof_build *build)
{
	if (!cof_mem_reserve(&queue->heap, &queue->room, queue->n + 1,
			     sizeof(*queue->heap)))
		return -COF_E_NOMEM;
	build->ticket = queue->tickets++;
	sift_up(queue, queue->n++, build);
	return 0;
}

static struct cof_build *take(struct cof_queue *queue, uint32_t i)
{
	struct cof_build *took, *last;

	if (i >= queue->n)
		return NULL;
	took = queue->heap[i];
	last = queue->heap[--queue->n];
	if (i == queue->n)
		return took;
	if (before(last, took))
		sift_up(queue, i, last);
	else
		sift_down(queue, i, last);
	return took;
}

struct cof_build *cof_queue_take(struct cof_queue *queue)
{
	return take(queue, 0);
}

/* A heap does not order the second best, so look at all. */
struct cof_build *cof_queue_take_short(struct cof_queue *queue,
				       uint64_t most_ns)
{
	uint32_t best = queue->n;

	for (uint32_t i = 0; i < queue->n; i++) {
		if (queue->heap[i]->expected_ns > most_ns)
			continue;
		if (best == queue->n ||
		    before(queue->heap[i], queue->heap[best]))
			best = i;
	}
	return take(queue, best);
}

void cof_queue_free(struct cof_queue *queue)
{
	assert(queue->n == 0);
	cof_mem_free(queue->heap);
	*queue = (struct cof_queue){ 0 };
}

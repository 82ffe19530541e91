/*
 * queue.c - a binary heap of builds
 */
#include "queue.h"

#include <assert.h>
#include <stdbool.h>

#include "mem.h"

static bool before(const struct cof_build *a, const struct cof_build *b)
{
	if (a->urgency != b->urgency)
		return a->urgency > b->urgency;
	return a->ticket < b->ticket;
}

int cof_queue_put(struct cof_queue *queue, struct cof_build *build)
{
	uint32_t i;

	if (queue->n == queue->room) {
		uint32_t room = queue->room ? queue->room * 2 : 32;
		void *p = cof_realloc(queue->heap, room * sizeof(*queue->heap));

		if (!p)
			return -COF_E_NOMEM;
		queue->heap = p;
		queue->room = room;
	}
	build->ticket = queue->tickets++;
	for (i = queue->n++; i > 0; i = (i - 1) / 2) {
		struct cof_build *parent = queue->heap[(i - 1) / 2];

		if (!before(build, parent))
			break;
		queue->heap[i] = parent;
	}
	queue->heap[i] = build;
	return 0;
}

struct cof_build *cof_queue_take(struct cof_queue *queue)
{
	struct cof_build *top, *last;
	uint32_t i = 0;

	if (queue->n == 0)
		return NULL;
	top = queue->heap[0];
	last = queue->heap[--queue->n];
	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child >= queue->n)
			break;
		if (child + 1 < queue->n &&
		    before(queue->heap[child + 1], queue->heap[child]))
			child++;
		if (!before(queue->heap[child], last))
			break;
		queue->heap[i] = queue->heap[child];
		i = child;
	}
	queue->heap[i] = last;
	return top;
}

void cof_queue_free(struct cof_queue *queue)
{
	assert(queue->n == 0);
	cof_free_mem(queue->heap);
	*queue = (struct cof_queue){ 0 };
}

/*
 * jitpage.c - the node of a page with several versions; see jitpage.h
 */
#include "code/jitpage.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "code/version.h"
#include "memory/mem.h"

#define ONE ((uintptr_t)1)	/* tag of a word that is a version */

struct cof_jitpage_node {
	/* Owner: the thread that took it out of the index. find() does not
	 * read it. */
	struct cof_jitpage_node *next;

	/* Constant. */
	uint32_t  n;
	uint16_t *from;		/* [n] offsets in the page, ascending */

	/* [n] Stored once more under the code lock: NULL, when removed. */
	_Atomic(struct cof_version *) version[];
};

static struct cof_version *at(uintptr_t page, uint32_t i)
{
	if (page & ONE)
		return (struct cof_version *)(page & ~ONE);
	return atomic_load_explicit(
		&((struct cof_jitpage_node *)page)->version[i],
		memory_order_relaxed);
}

static uint32_t count(uintptr_t page)
{
	if (page & ONE)
		return 1;
	return page ? ((struct cof_jitpage_node *)page)->n : 0;
}

/* How many begin at or before `offset`? The last of them may hold it. */
static uint32_t begun(const struct cof_jitpage_node *node, uint32_t offset)
{
	uint32_t lo = 0, n = node->n;

	while (n > 0) {
		uint32_t half = n / 2;

		if (node->from[lo + half] <= offset) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo;
}

struct cof_version *cof_jitpage_find(uintptr_t page, uintptr_t address)
{
	struct cof_version *v;
	uint32_t i = 1;

	if (page == 0)
		return NULL;
	if (!(page & ONE))
		i = begun((struct cof_jitpage_node *)page,
			  address & (COF_JITPAGE - 1));
	if (i == 0)
		return NULL;
	v = at(page, i - 1);
	if (!v || address < v->code.start || address >= v->code.end)
		return NULL;
	return v;
}

bool cof_jitpage_overlaps(uintptr_t page, const struct cof_version *version)
{
	for (uint32_t i = 0; i < count(page); i++) {
		const struct cof_version *v = at(page, i);

		if (v && v->code.start < version->code.end &&
		    version->code.start < v->code.end)
			return true;
	}
	return false;
}

static void put(struct cof_jitpage_node *node, uintptr_t base,
		struct cof_version *v)
{
	node->from[node->n] = 0;
	if (v->code.start > base)
		node->from[node->n] = (uint16_t)(v->code.start - base);
	atomic_init(&node->version[node->n], v);
	node->n++;
}

uintptr_t cof_jitpage_with(uintptr_t page, uintptr_t base,
			   struct cof_version *version)
{
	uint32_t n = 1;
	struct cof_jitpage_node *node;
	bool done = false;

	for (uint32_t i = 0; i < count(page); i++)
		n += at(page, i) != NULL;
	if (n == 1)
		return (uintptr_t)version | ONE;

	node = cof_mem_alloc(sizeof(*node) + n * (sizeof(node->version[0]) +
					      sizeof(node->from[0])));
	if (!node)
		return 0;
	node->from = (uint16_t *)&node->version[n];
	for (uint32_t i = 0; i < count(page); i++) {
		struct cof_version *v = at(page, i);

		if (!v)
			continue;
		if (!done && version->code.start < v->code.start) {
			put(node, base, version);
			done = true;
		}
		put(node, base, v);
	}
	if (!done)
		put(node, base, version);
	return (uintptr_t)node;
}

bool cof_jitpage_remove(uintptr_t page, const struct cof_version *version)
{
	struct cof_jitpage_node *node = (struct cof_jitpage_node *)page;
	bool empty = true;

	if (page & ONE) {
		assert(at(page, 0) == version);
		return true;
	}
	for (uint32_t i = 0; i < count(page); i++) {
		const struct cof_version *v = at(page, i);

		if (v == version)
			atomic_store_explicit(&node->version[i], NULL,
					      memory_order_relaxed);
		else if (v)
			empty = false;
	}
	return empty;
}

struct cof_jitpage_node *cof_jitpage_node(uintptr_t page)
{
	return page & ONE ? NULL : (struct cof_jitpage_node *)page;
}

struct cof_jitpage_node **cof_jitpage_next(struct cof_jitpage_node *node)
{
	return &node->next;
}

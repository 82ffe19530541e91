/*
 * regions.c - code ranges with unwind tables; see regions.h
 */
#include "threads/regions.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "cof.h"
#include "memory/mem.h"
#include "threads/ehframe.h"

struct table {
	struct table      *next;	/* once replaced */
	struct cof_region *dead;	/* list, freed with the table */
	uint64_t           n;
	struct cof_region *region[];	/* sorted by start */
};

static COF_FORK_DATA struct {
	pthread_mutex_t         lock;
	struct table           *replaced;	/* lock */
	_Atomic(struct table *) current;
	_Atomic uint64_t        walkers;
} us = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* -- Looking up: async-signal-safe ----------------------------------------- */

/* The last region that starts at or before `at`; t->n: none. */
static uint64_t region_before(const struct table *t, uint64_t at)
{
	uint64_t lo = 0, hi = t->n;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (t->region[mid]->start <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 ? lo - 1 : t->n;
}

const struct cof_region *cof_regions_enter(uint64_t at)
{
	const struct table *t;
	uint64_t i;

	/* The common case, no table at all, costs one load. */
	if (!atomic_load_explicit(&us.current, memory_order_relaxed))
		return NULL;
	atomic_fetch_add(&us.walkers, 1);	/* A */
	t = atomic_load(&us.current);		/* B */
	if (t) {
		i = region_before(t, at);
		if (i < t->n && at < t->region[i]->end &&
		    !atomic_load_explicit(&t->region[i]->removed,
					  memory_order_relaxed))
			return t->region[i];
	}
	cof_regions_leave();
	return NULL;
}

void cof_regions_leave(void)
{
	atomic_fetch_sub_explicit(&us.walkers, 1, memory_order_release); /* E */
}

/* -- Making ---------------------------------------------------------------- */

struct collect {
	struct cof_region *r;	/* NULL: only count */
	uint64_t       n, start;
	bool           bad;
};

static int offset_of(uint64_t at, uint64_t from, int32_t *out)
{
	int64_t d = (int64_t)(at - from);

	*out = (int32_t)d;
	return d == *out ? 0 : -1;
}

static int take_fde(void *arg, const struct cof_fde *fde)
{
	struct collect *c = arg;
	struct cof_region_entry e;

	if (offset_of(fde->start, c->start, &e.ip) != 0 ||
	    offset_of(fde->fde, c->start, &e.fde) != 0) {
		c->bad = true;
		return 1;
	}
	if (c->r)
		c->r->entry[c->n] = e;
	c->n++;
	return 0;
}

static int by_ip(const void *a, const void *b)
{
	const struct cof_region_entry *x = a, *y = b;

	return (x->ip > y->ip) - (x->ip < y->ip);
}

/* Frees the list that begins with `r`. */
static void free_region(struct cof_region *r)
{
	struct cof_region *next;

	for (; r; r = next) {
		next = r->next;
		cof_mem_free(r->copy);
		cof_mem_free(r);
	}
}

static bool is_removed(const struct cof_region *r)
{
	return atomic_load_explicit(&r->removed, memory_order_relaxed);
}

static struct cof_region *new_region(uint64_t start, uint64_t end,
				     const void *frames, size_t bytes, int *err)
{
	struct collect c = { .start = start };
	struct cof_region *r;

	*err = -COF_E_INVAL;
	if (start >= end ||
	    cof_ehframe_read(frames, bytes, take_fde, &c) <= 0 || c.bad)
		return NULL;
	r = cof_mem_alloc(sizeof(*r) + c.n * sizeof(struct cof_region_entry));
	if (!r) {
		*err = -COF_E_NOMEM;
		return NULL;
	}
	r->start = start;
	r->end = end;
	r->frames = (uint64_t)(uintptr_t)frames;
	r->frames_end = r->frames + bytes;
	r->copy = cof_mem_alloc(cof_region_words_end(r) - cof_region_words(r));
	if (!r->copy) {
		cof_mem_free(r);
		*err = -COF_E_NOMEM;
		return NULL;
	}
	memcpy(r->copy + (r->frames - cof_region_words(r)), frames, bytes);
	r->n = c.n;
	c = (struct collect){ .start = start, .r = r };
	cof_ehframe_read(frames, bytes, take_fde, &c);
	qsort(r->entry, r->n, sizeof(struct cof_region_entry), by_ip);
	return r;
}

/* [lock] Replace the current table by `t`; free what no handler looks at. */
static void publish(struct table *t, struct cof_region *dead)
{
	struct table *old = atomic_load(&us.current), *next;

	if (old) {
		old->dead = dead;
		old->next = us.replaced;
		us.replaced = old;
	}
	atomic_store(&us.current, t);		/* C */
	if (atomic_load(&us.walkers) != 0)	/* D */
		return;		/* the next publish() frees it */
	for (old = us.replaced; old; old = next) {
		next = old->next;
		free_region(old->dead);
		cof_mem_free(old);
	}
	us.replaced = NULL;
}

/*
 * [lock] Build the array anew, with `plus`, if not NULL, in its order, and
 * without the removed regions.
 */
static int rebuild(struct cof_region *plus)
{
	const struct table *now = atomic_load(&us.current);
	struct cof_region *dead = NULL, *r;
	uint64_t n = plus ? 1 : 0;
	struct table *t = NULL;

	for (uint64_t i = 0; now && i < now->n; i++)
		n += !is_removed(now->region[i]);
	if (n > 0) {
		t = cof_mem_alloc(sizeof(*t) + n * sizeof(t->region[0]));
		if (!t)
			return -COF_E_NOMEM;
	}
	for (uint64_t i = 0; now && i < now->n; i++) {
		r = now->region[i];
		if (is_removed(r)) {
			r->next = dead;
			dead = r;
			continue;
		}
		if (plus && plus->start < r->start) {
			t->region[t->n++] = plus;
			plus = NULL;
		}
		/* It was counted above, so there is a table.
		 * NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		t->region[t->n++] = r;
	}
	if (plus)
		t->region[t->n++] = plus;
	publish(t, dead);
	return 0;
}

/* [lock] */
static int add(struct cof_region *r)
{
	const struct table *now = atomic_load(&us.current);

	for (uint64_t i = 0; now && i < now->n; i++)
		if (!is_removed(now->region[i]) &&
		    now->region[i]->start < r->end &&
		    now->region[i]->end > r->start)
			return -COF_E_INVAL;	/* overlaps */
	return rebuild(r);
}

int cof_regions_add(const void *start, const void *end, const void *eh_frame,
		    size_t bytes)
{
	int err;
	struct cof_region *r = new_region((uint64_t)(uintptr_t)start,
					  (uint64_t)(uintptr_t)end, eh_frame,
					  bytes, &err);

	if (!r)
		return err;
	pthread_mutex_lock(&us.lock);
	err = add(r);
	pthread_mutex_unlock(&us.lock);
	if (err != 0)
		free_region(r);
	return err;
}

void cof_regions_remove(const void *start)
{
	const struct table *now;
	struct cof_region *r = NULL;
	uint64_t i, at = (uint64_t)(uintptr_t)start;

	pthread_mutex_lock(&us.lock);
	now = atomic_load(&us.current);
	for (i = 0; now && i < now->n && !r; i++)
		if (now->region[i]->start == at && !is_removed(now->region[i]))
			r = now->region[i];
	if (r) {
		atomic_store_explicit(&r->removed, true, memory_order_relaxed);
		(void)rebuild(NULL);	/* no memory: the next rebuild() */
	}
	pthread_mutex_unlock(&us.lock);
}

void cof_regions_lock(void)
{
	pthread_mutex_lock(&us.lock);
}

COF_FORK_CODE bool cof_regions_unlock(bool child)
{
	bool walked = false;

	/* In the child no other thread goes on with its walk. */
	if (child)
		walked = atomic_exchange(&us.walkers, 0) != 0;
	pthread_mutex_unlock(&us.lock);
	return walked;
}

/*
 * regions.c - code ranges with unwind tables; see regions.h
 */
#include "regions.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cof.h"
#include "ehframe.h"
#include "mem.h"

struct table {
	struct table      *next;	/* once replaced */
	struct cof_region *dead;	/* freed with the table; or NULL */
	uint64_t           n;
	struct cof_region *region[];	/* sorted by start */
};

static struct {
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

	/* The common case, at the cost of a load. */
	if (!atomic_load_explicit(&us.current, memory_order_relaxed))
		return NULL;
	atomic_fetch_add(&us.walkers, 1);	/* A */
	t = atomic_load(&us.current);		/* B */
	if (t) {
		i = region_before(t, at);
		if (i < t->n && at < t->region[i]->end)
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

static struct cof_region *new_region(uint64_t start, uint64_t end,
				 const void *frames, size_t bytes, int *err)
{
	struct collect c = { .start = start };
	struct cof_region *r;

	*err = -COF_E_INVAL;
	if (start >= end ||
	    cof_ehframe_read(frames, bytes, take_fde, &c) <= 0 || c.bad)
		return NULL;
	r = cof_alloc(sizeof(*r) + c.n * sizeof(struct cof_region_entry));
	if (!r) {
		*err = -COF_E_NOMEM;
		return NULL;
	}
	r->start = start;
	r->end = end;
	r->frames = (uint64_t)(uintptr_t)frames;
	r->frames_end = r->frames + bytes;
	r->n = c.n;
	c = (struct collect){ .start = start, .r = r };
	cof_ehframe_read(frames, bytes, take_fde, &c);
	qsort(r->entry, r->n, sizeof(struct cof_region_entry), by_ip);
	return r;
}

/* [lock] Put `t` in the old one's place; free what no handler looks at. */
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
		return;		/* the next one who comes frees it */
	for (old = us.replaced; old; old = next) {
		next = old->next;
		cof_free_mem(old->dead);
		cof_free_mem(old);
	}
	us.replaced = NULL;
}

/* [lock] */
static int add(struct cof_region *r)
{
	static const struct table none;
	const struct table *now = atomic_load(&us.current);
	struct table *t;
	uint64_t i;

	if (!now)
		now = &none;
	i = region_before(now, r->end - 1);
	if (i < now->n && now->region[i]->end > r->start)
		return -COF_E_INVAL;	/* overlaps */
	i = i < now->n ? i + 1 : 0;
	t = cof_alloc(sizeof(*t) + (now->n + 1) * sizeof(t->region[0]));
	if (!t)
		return -COF_E_NOMEM;
	t->n = now->n + 1;
	memcpy(t->region, now->region, i * sizeof(t->region[0]));
	t->region[i] = r;
	memcpy(t->region + i + 1, now->region + i,
	       (now->n - i) * sizeof(t->region[0]));
	publish(t, NULL);
	return 0;
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
		cof_free_mem(r);
	return err;
}

void cof_regions_remove(const void *start)
{
	const struct table *now;
	struct cof_region *r;
	struct table *t;
	uint64_t i, at = (uint64_t)(uintptr_t)start;

	pthread_mutex_lock(&us.lock);
	now = atomic_load(&us.current);
	i = now ? region_before(now, at) : 0;
	if (!now || i >= now->n || now->region[i]->start != at)
		goto out;
	r = now->region[i];
	t = now->n > 1 ?
		cof_alloc(sizeof(*t) + (now->n - 1) * sizeof(t->region[0])) :
		NULL;
	if (!t && now->n > 1) {
		/* No memory: leave a region that no address is in. */
		r->end = r->start;
		goto out;
	}
	if (t) {
		t->n = now->n - 1;
		memcpy(t->region, now->region, i * sizeof(t->region[0]));
		memcpy(t->region + i, now->region + i + 1,
		       (t->n - i) * sizeof(t->region[0]));
	}
	publish(t, r);
out:
	pthread_mutex_unlock(&us.lock);
}

void cof_regions_lock(void)
{
	pthread_mutex_lock(&us.lock);
}

void cof_regions_unlock(bool child)
{
	/* A walker of another thread does not go on in the child. */
	if (child)
		atomic_store(&us.walkers, 0);
	pthread_mutex_unlock(&us.lock);
}

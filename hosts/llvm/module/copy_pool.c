/*
 * copy_pool.c - see copy_pool.h
 */
#include "module/copy_pool.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cofl.h"
#include "ir/copy.h"
#include "support/memory_reserve.h"
#include "support/recover.h"
#include "support/tuning.h"

struct opening {
	struct cofl      *host;
	struct cofl_copy *copy;
	char             *why;
	size_t            why_bytes;
};

static void open_copy(void *arg)
{
	struct opening *o = arg;

	o->copy = cofl_copy_open(o->host->bitcode, o->host->numbering, o->why,
				 o->why_bytes);
}

/* [pool_lock] Another copy. NULL: `why` has the reason. */
static struct cofl_copy *grow(struct cofl *host, char *why, size_t why_bytes)
{
	struct opening o = { .host = host, .why = why,
			     .why_bytes = why_bytes };
	struct cofl_copy **more;

	snprintf(why, why_bytes, "no memory");
	more = realloc(host->pool, (host->n_pool + 1) * sizeof(*host->pool));
	if (more == NULL)
		return NULL;
	host->pool = more;
	if (!cofl_recover(open_copy, &o, why, why_bytes) || o.copy == NULL)
		return NULL;
	o.copy->globals_are_far = host->image_is_far;
	host->pool[host->n_pool++] = o.copy;
	return o.copy;
}

struct cofl_copy *cofl_copy_pool_begin(struct cofl *host, char *why,
				       size_t why_bytes)
{
	struct cofl_copy *copy;

	pthread_mutex_lock(&host->pool_lock);
	copy = grow(host, why, why_bytes);
	pthread_mutex_unlock(&host->pool_lock);
	return copy;
}

/* [pool_lock] What take() has found. */
struct found {
	struct cofl_copy *free;	/* locked; NULL: there is none */
	struct cofl_copy *busy;	/* the last one that is in use */
	size_t            n_busy;
};

static struct found find(const struct cofl *host)
{
	struct found f = { .free = NULL };

	for (uint32_t i = 0; i < host->n_pool && f.free == NULL; i++) {
		struct cofl_copy *copy = host->pool[i];

		if (pthread_mutex_trylock(&copy->lock) != 0) {
			f.busy = copy;
			f.n_busy++;
		} else if (copy->is_spoilt) {
			pthread_mutex_unlock(&copy->lock);
		} else {
			f.free = copy;
		}
	}
	return f;
}

static bool has_to_wait(const struct cofl *host, const struct found *f)
{
	const size_t most = (size_t)COFL_TUNE(copies_mb) << 20;

	return f->free == NULL && f->n_busy > 0 &&
	       (f->n_busy + 1) * LLVMGetBufferSize(host->bitcode) > most;
}

/* One that is free, or a new one, locked; or what to wait for. */
static struct found find_or_open(struct cofl *host)
{
	struct found f;
	char why[256];

	pthread_mutex_lock(&host->pool_lock);
	f = find(host);
	if (has_to_wait(host, &f)) {
		pthread_mutex_unlock(&host->pool_lock);
		return f;
	}
	if (f.free == NULL) {
		f.free = grow(host, why, sizeof(why));
		if (f.free != NULL)
			pthread_mutex_lock(&f.free->lock);
	}
	f.busy = NULL;
	pthread_mutex_unlock(&host->pool_lock);
	return f;
}

struct cofl_copy *cofl_copy_pool_take(struct cofl *host)
{
	struct found f;

	while (!cofl_memory_reserve_is_short()) {
		f = find_or_open(host);
		if (f.busy == NULL)
			return f.free;
		pthread_mutex_lock(&f.busy->lock);
		if (!f.busy->is_spoilt)
			return f.busy;
		pthread_mutex_unlock(&f.busy->lock);
	}
	return NULL;
}

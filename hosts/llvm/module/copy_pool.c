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

/* NULL: it is in use, or spoilt. */
static struct cofl_copy *lock_free_one(struct cofl_copy *copy)
{
	if (pthread_mutex_trylock(&copy->lock) != 0)
		return NULL;
	if (!copy->is_spoilt)
		return copy;
	pthread_mutex_unlock(&copy->lock);
	return NULL;
}

struct cofl_copy *cofl_copy_pool_take(struct cofl *host)
{
	struct cofl_copy *copy = NULL;
	char why[256];

	if (cofl_memory_reserve_is_short())
		return NULL;
	pthread_mutex_lock(&host->pool_lock);
	for (uint32_t i = 0; i < host->n_pool && copy == NULL; i++)
		copy = lock_free_one(host->pool[i]);
	if (copy == NULL) {
		copy = grow(host, why, sizeof(why));
		if (copy != NULL)
			pthread_mutex_lock(&copy->lock);
	}
	pthread_mutex_unlock(&host->pool_lock);
	return copy;
}

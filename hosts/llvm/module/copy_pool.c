/*
 * copy_pool.c - see copy_pool.h
 */
#include "module/copy_pool.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "ir/copy.h"
#include "program/host.h"
#include "support/memory_reserve.h"
#include "support/recover.h"

struct opening {
	struct cofl      *host;
	struct cofl_copy *copy;
};

static void open_copy(void *arg)
{
	struct opening *o = arg;
	char why[256];

	o->copy = cofl_copy_open(o->host->bitcode, o->host->numbering, why,
				 sizeof(why));
}

/* [pool_lock] Another copy, locked. NULL: no memory. */
static struct cofl_copy *grow(struct cofl *host)
{
	struct opening o = { .host = host };
	struct cofl_copy **more;
	char why[256];

	more = realloc(host->pool, (host->n_pool + 1) * sizeof(*host->pool));
	if (more == NULL)
		return NULL;
	host->pool = more;
	if (!cofl_recover(open_copy, &o, why, sizeof(why)) || o.copy == NULL)
		return NULL;
	host->pool[host->n_pool++] = o.copy;
	pthread_mutex_lock(&o.copy->lock);
	return o.copy;
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

	if (cofl_memory_reserve_is_short())
		return NULL;
	pthread_mutex_lock(&host->pool_lock);
	for (uint32_t i = 0; i < host->n_pool && copy == NULL; i++)
		copy = lock_free_one(host->pool[i]);
	if (copy == NULL)
		copy = grow(host);
	pthread_mutex_unlock(&host->pool_lock);
	return copy;
}

/*
 * verdicts.c - a bounded queue under a lock; see verdicts.h
 */
#include "version_cache/verdicts.h"

#include <stdlib.h>
#include <string.h>

void cofl_verdicts_init(struct cofl_verdicts *v)
{
	pthread_mutex_init(&v->lock, NULL);
	v->n = 0;
}

void cofl_verdicts_add(struct cofl_verdicts *v,
		       struct cofl_version_cache_header *record)
{
	pthread_mutex_lock(&v->lock);
	if (v->n < COFL_VERDICTS)
		v->verdict[v->n++] = record;
	else
		free(record);
	pthread_mutex_unlock(&v->lock);
}

struct cofl_version_cache_header *cofl_verdicts_first(struct cofl_verdicts *v)
{
	struct cofl_version_cache_header *record;

	pthread_mutex_lock(&v->lock);
	record = v->n > 0 ? v->verdict[0] : NULL;
	pthread_mutex_unlock(&v->lock);
	return record;
}

void cofl_verdicts_drop(struct cofl_verdicts *v)
{
	pthread_mutex_lock(&v->lock);
	free(v->verdict[0]);
	memmove(v->verdict, v->verdict + 1, --v->n * sizeof(v->verdict[0]));
	pthread_mutex_unlock(&v->lock);
}

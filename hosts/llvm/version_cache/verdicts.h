/*
 * verdicts.h - verdicts of trials, queued until a thread writes them to the
 * file
 *
 *	P/O --> add ... first --> holder of the file --> drop
 *	                          (version_cache_host.c)
 *
 * P/O does not wait for files, so its verdicts queue here. If the queue is full
 * a verdict is lost, and the version is tried again in a later run.
 *
 * Thread: any.
 */
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "version_cache/version_cache.h"

#define COFL_VERDICTS 64u

struct cofl_verdicts {
	pthread_mutex_t lock;	/* a leaf, for what follows */
	struct cofl_version_cache_header *verdict[COFL_VERDICTS];
	uint32_t        n;
};

void cofl_verdicts_init(struct cofl_verdicts *v);

/* Queue the record, which is malloc(3)'s and the queue's from now on. If the
 * queue is full, free it. */
void cofl_verdicts_add(struct cofl_verdicts *v,
		       struct cofl_version_cache_header *record);

/* The oldest record, which stays the queue's; NULL: there is none. */
struct cofl_version_cache_header *cofl_verdicts_first(struct cofl_verdicts *v);

/* Remove and free the record that first() returned. No other thread may drop
 * meanwhile. */
void cofl_verdicts_drop(struct cofl_verdicts *v);

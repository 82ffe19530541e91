/*
 * verdicts.h - what audits said of kept versions, until somebody writes it down
 *
 *	P/O --> add ... first --> who has the file (version_cache_host.c) --> drop
 *
 * P/O waits for no file, so what it has to say queues here. One that finds no room is
 * lost: the version is tried again in a later run.
 */
#ifndef COFL_VERSION_CACHE_VERDICTS_H
#define COFL_VERSION_CACHE_VERDICTS_H

#include <pthread.h>
#include <stdint.h>

#include "version_cache/version_cache.h"

#define COFL_VERDICTS 64u

struct cofl_verdicts {
	pthread_mutex_t           lock;	/* a leaf, for what follows */
	struct cofl_version_cache_header *verdict[COFL_VERDICTS];
	uint32_t                  n;
};

void cofl_verdicts_init(struct cofl_verdicts *v);

/* Takes the record, malloc(3)'s. Any thread, as all of these. */
void cofl_verdicts_add(struct cofl_verdicts *v, struct cofl_version_cache_header *record);

/* The oldest, which stays its; NULL: there is none. */
struct cofl_version_cache_header *cofl_verdicts_first(struct cofl_verdicts *v);

/* Free it. By whom first() gave it to, and nobody else drops meanwhile. */
void cofl_verdicts_drop(struct cofl_verdicts *v);

#endif /* COFL_VERSION_CACHE_VERDICTS_H */

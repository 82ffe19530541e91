/*
 * cached_profile.c - bytes, under a lock; see cached_profile.h
 */
#include "version_cache/cached_profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cofl.h"

void cofl_cached_profile_set(struct cofl_method *m, const void *profile,
			     size_t bytes)
{
	void *copy = malloc(bytes);

	if (copy == NULL)
		return;		/* the next run does without */
	memcpy(copy, profile, bytes);
	pthread_mutex_lock(&m->host->profile_lock);
	free(m->cached_profile);
	m->cached_profile = copy;
	m->cached_profile_bytes = bytes;
	pthread_mutex_unlock(&m->host->profile_lock);
}

size_t cofl_cached_profile_save(struct cofl_method *m, void *to, size_t room)
{
	size_t n = 0;

	pthread_mutex_lock(&m->host->profile_lock);
	if (m->cached_profile != NULL) {
		n = m->cached_profile_bytes;
		if (n <= room)
			memcpy(to, m->cached_profile, n);
	}
	pthread_mutex_unlock(&m->host->profile_lock);
	return n;
}

void *cofl_cached_profile_take(struct cofl_method *m, size_t *bytes)
{
	void *profile;

	pthread_mutex_lock(&m->host->profile_lock);
	profile = m->cached_profile;
	*bytes = m->cached_profile_bytes;
	m->cached_profile = NULL;
	pthread_mutex_unlock(&m->host->profile_lock);
	return profile;
}

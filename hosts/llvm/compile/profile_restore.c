/*
 * profile_restore.c - see profile_restore.h
 */
#include "compile/profile_restore.h"

#include <pthread.h>
#include <stdlib.h>

#include "compile/build.h"
#include "ir/body.h"
#include "profile/collect.h"
#include "profile/method_profile.h"
#include "version_cache/cached_profile.h"

size_t cofl_profile_restore_save(struct cofl_method *m, void *bytes,
				 size_t room)
{
	size_t n = 0;

	pthread_mutex_lock(&m->host->profile_lock);
	if (m->profile != NULL)
		n = cofl_profile_save(m->profile, bytes, room);
	pthread_mutex_unlock(&m->host->profile_lock);
	return n;
}

/* NULL: the bytes do not fit the body. */
static struct cofl_profile *profile_of(struct cofl_method *m,
				       struct cofl_copy *copy,
				       const void *bytes, size_t n)
{
	struct cofl_profile *loaded = NULL;
	struct cofl_body body;
	char why[256];
	LLVMValueRef f = cofl_build_body(m, copy, why, sizeof(why));

	if (f == NULL)
		return NULL;
	cofl_body_read(&body, f);
	cofl_profile_load(&body.outline, body.kind, m->host->n_methods, bytes,
			  n, &loaded);
	cofl_body_free(&body);
	return loaded;
}

int cofl_profile_restore_load(struct cofl_method *m, struct cofl_copy *copy,
			      const void *bytes, size_t n)
{
	struct cofl_profile *loaded = profile_of(m, copy, bytes, n);

	if (loaded == NULL)
		return -COF_E_INVAL;
	pthread_mutex_lock(&m->host->profile_lock);
	cofl_collect_set_profile(m, loaded);
	pthread_mutex_unlock(&m->host->profile_lock);
	return 0;
}

void cofl_profile_restore_adopt(struct cofl_method *m, struct cofl_copy *copy)
{
	struct cofl_profile *loaded;
	size_t n;
	void *bytes = cofl_cached_profile_take(m, &n);

	if (bytes == NULL)
		return;
	loaded = profile_of(m, copy, bytes, n);
	free(bytes);
	pthread_mutex_lock(&m->host->profile_lock);
	if (m->profile == NULL && loaded != NULL)
		cofl_collect_set_profile(m, loaded);
	else
		cofl_profile_free(loaded);	/* the method's is newer */
	pthread_mutex_unlock(&m->host->profile_lock);
}

void cofl_profile_restore_adopt_all(struct cofl *host, struct cofl_copy *copy)
{
	for (uint32_t i = 0; i < host->n_methods; i++)
		cofl_profile_restore_adopt(&host->method[i], copy);
}

/*
 * version_cache_host.h - versions of earlier runs: put on the shelf, and taken from there
 *
 *	build with a profile --> put ------> shelf, a file (version_cache_write.h)
 *	verdict of an audit ---> judged ---> '  |
 *	the next run's start <-- take <---------+
 *
 * Nothing of this needs LLVM: a program whose hot methods are all on the shelf
 * runs without it. The profile that such a version was built from is kept as
 * bytes until something else is built, which may want to know it (count/count.h).
 *
 * What may be kept holds no address of this process: a group's objects name
 * everything they refer to. Versions that count, and continuations, have
 * addresses of words in them, and are not put here.
 */
#ifndef COFL_VERSION_CACHE_VERSION_CACHE_HOST_H
#define COFL_VERSION_CACHE_VERSION_CACHE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"

struct cofl;
struct cofl_method;
struct cofl_version;
struct cofl_version_cache_host;

/* What is kept of this program goes by `key`, the image's. Not called: nothing is.
 * Before any of the callbacks. */
void cofl_version_cache_host_init(struct cofl *host, const uint8_t *key, uint64_t max_bytes);

/* Is nothing kept, so far? Without kept_init() too. */
bool cofl_version_cache_host_none(const struct cofl *host);

/*
 * The version desc->data of `method` was just built, from this profile: keep it.
 * Thread: a worker.
 */
struct cofl_built {
	const void *profile;
	size_t      profile_bytes;
	const void *object;
	size_t      object_bytes;
	bool        moves_stack;
};
void cofl_version_cache_host_put(struct cofl_method *method,
		   const struct cof_version_desc *desc,
		   const struct cofl_built *built);

/* host.cached_version(), host.trial_result() */
int  cofl_version_cache_host_take(void *ctx, void *method, const void *profile, size_t bytes,
		    struct cof_version_desc *out);
void cofl_version_cache_host_judged(void *ctx, void *method, void *version, int stays,
		      unsigned permille, enum cof_plan over);

/* host.trial_progress() */
void cofl_version_cache_host_seen(void *ctx, void *method, void *version, unsigned permille,
		    unsigned error_permille, enum cof_plan over);

/*
 * The bytes of the profile, if the method's version was taken from the shelf and
 * nobody wanted to know it since: as host.profile_save(), 0 if not; and for the
 * caller to free, NULL if not. Any thread.
 */
size_t cofl_version_cache_host_profile(struct cofl_method *method, void *to, size_t room);
void  *cofl_version_cache_host_profile_take(struct cofl_method *method, size_t *bytes);

/* host.release_idle(): the file's bytes are not held on to. */
void cofl_version_cache_host_idle_release(struct cofl *host);

#endif /* COFL_VERSION_CACHE_VERSION_CACHE_HOST_H */

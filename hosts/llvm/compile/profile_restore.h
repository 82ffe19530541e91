/*
 * profile_restore.h - profiles of methods, from one run to the next
 *
 *	method's profile --> save --> bytes (history) --> load ---> method's
 *	                              |                             ^
 *	                              +-> cached version --> adopt -+
 *
 * Reading a profile takes the body it is of. So the profile of a cached version
 * (version_cache/version_cache_host.h) is read only once a build may need it.
 *
 * Thread: any; for load() and adopt() the holder of the copy's lock.
 */
#pragma once

#include <stddef.h>

#include "cofl.h"

/* Save the method's profile as bytes (cofl_profile_save()); 0: it has none. */
size_t cofl_profile_restore_save(struct cofl_method *method, void *bytes,
				 size_t room);

/* Replace the method's profile by one from bytes. 0, or -COF_E_INVAL. */
int  cofl_profile_restore_load(struct cofl_method *method,
			       struct cofl_copy *copy, const void *bytes,
			       size_t n);

/* If the method, or any, has no profile, give it that of its cached version. */
void cofl_profile_restore_adopt(struct cofl_method *method,
				struct cofl_copy *copy);
void cofl_profile_restore_adopt_all(struct cofl *host, struct cofl_copy *copy);

/*
 * profile_restore.h - profiles of methods, from one run to the next
 *
 *	method's profile --> save --> bytes (history) --> load ----> method's
 *	                                     `-> kept (version_cache/version_cache_host.h) --> adopt --^
 *
 * To read a profile takes the body it is of, so what came with a kept version is
 * read only once something is built that may want to know it.
 *
 * Thread: any; for load() and adopt() the holder of the copy's lock.
 */
#pragma once

#include <stddef.h>

#include "program/host.h"

/* The holder of the profiles' lock: it has this one now, which is the method's. */
void cofl_profile_restore_set(struct cofl_method *method, struct cofl_profile *profile);

/* The method's profile as bytes (cofl_profile_save()), 0 if it has none; and from
 * bytes, which then replaces what it had: 0, or -COF_E_INVAL. */
size_t cofl_profile_restore_save(struct cofl_method *method, void *bytes, size_t room);
int  cofl_profile_restore_load(struct cofl_method *method, struct cofl_copy *copy,
		      const void *bytes, size_t n);

/* The profile of a version that was kept becomes the method's; and of all. */
void cofl_profile_restore_adopt(struct cofl_method *method, struct cofl_copy *copy);
void cofl_profile_restore_adopt_all(struct cofl *host, struct cofl_copy *copy);

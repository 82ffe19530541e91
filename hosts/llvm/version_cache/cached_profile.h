/*
 * cached_profile.h - the profile that a method's cached version was built from
 *
 * Its bytes are held until another version of the method is built, which may
 * need them (count/count.h). No LLVM is needed to hold them.
 *
 * Thread: any. They take the host's profile_lock.
 */
#pragma once

#include <stddef.h>

struct cofl_method;

/* Hold a copy, in the place of what is held. */
void cofl_cached_profile_set(struct cofl_method *method, const void *profile,
			     size_t bytes);

/* As host.profile_save(). 0: nothing is held. */
size_t cofl_cached_profile_save(struct cofl_method *method, void *to,
				size_t room);

/* What is held, for the caller to free(3). NULL: nothing is. */
void *cofl_cached_profile_take(struct cofl_method *method, size_t *bytes);

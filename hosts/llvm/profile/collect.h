/*
 * collect.h - from counters to the method's profile
 *
 * Thread: any. All take the host's profile_lock, but set_profile().
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cofl.h"

/* What the method's latest instrumented version counted so far. */
uint64_t cofl_collect_counted(struct cofl_method *method);

/* Make that the method's profile. 0, or -COF_E_STATE: nothing was counted. */
int  cofl_collect_profile(struct cofl_method *method);

/*
 * The profile that collect() would make, as bytes (cofl_profile_save()), for a
 * run that ends before enough is counted. 0: no version counts, or hardly
 * anything was counted.
 */
size_t cofl_collect_save(struct cofl_method *method, void *bytes, size_t room);

/* Replace the method's profile; it owns the new one. Under the lock. */
void cofl_collect_set_profile(struct cofl_method *method,
			       struct cofl_profile *profile);

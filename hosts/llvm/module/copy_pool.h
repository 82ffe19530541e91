/*
 * copy_pool.h - copies of the bitcode, for those that build
 *
 * Thread: any, no copy's lock held.
 */
#pragma once

#include <stddef.h>

struct cofl;
struct cofl_copy;

/* Open the first one, before anybody builds. NULL: `why` has the reason. */
struct cofl_copy *cofl_copy_pool_begin(struct cofl *host, char *why,
				       size_t why_bytes);

/* Lock a copy that is not in use, for the caller to unlock. If all are, open
 * another, or wait for one if all together would be too large (copies_mb in
 * support/tuning.def). NULL: no memory. */
struct cofl_copy *cofl_copy_pool_take(struct cofl *host);

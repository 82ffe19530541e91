/*
 * counting_cache.h - instrumented versions that were made before the run
 *
 * A short run of a large program has no time to make one. The process that
 * finishes what runs left makes it for the next (process/finish.h). Its record
 * has, in the place of a profile, what it counts:
 *
 *	struct counted | edges, from and to | which are chords | kinds of sites
 *
 * Needs no LLVM.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "profile/counting.h"

/* Cache the version desc->data, which counts. Thread: a worker; blocks on file
 * I/O. */
void cofl_counting_cache_put(const struct cofl_counting *counting,
			     const struct cof_version_desc *desc,
			     const void *object, size_t object_bytes,
			     bool moves_stack);

/* host.cached_counting() */
int  cofl_counting_cache_take(void *ctx, void *method,
			      struct cof_version_desc *out);

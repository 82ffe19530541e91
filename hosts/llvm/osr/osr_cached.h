/*
 * osr_cached.h - continuations that an earlier run built
 *
 * Where frames can leave does not depend on the version that they leave: the
 * values that live there, and their places, are the body's. So continuations of
 * one profile serve in later runs (version_cache/version_cache_host.h). What
 * can be left in turn is not cached.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "link/osr_points.h"
#include "program/host.h"

/*
 * Load the continuations of the method's profile, and their table as
 * out->entry. `arrived`: passes of each loop's points. False: there are none,
 * or they take no thread out of a loop that goes round and that none was led
 * out of. Thread: a worker; blocks on file I/O.
 */
bool cofl_osr_cached_take(struct cofl_method *method, const char *table,
			  const struct cofl_osr_points *points,
			  const uint64_t *arrived,
			  struct cof_version_desc *out);

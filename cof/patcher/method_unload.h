/*
 * method_unload.h - take the versions of a method out, for good
 *
 *	cof_method_unload()       a trap becomes current, the copy is RETIRED,
 *	                          and so are the others, by their owners
 *	reclaim frees the copy    version 0 may be freed too, from now on
 *	reclaim frees version 0   the host is told (discard()), and frees the
 *	                          code
 *
 * Version 0 outlives its copy: a sample in the copy is credited to it.
 */
#pragma once

#include <stdbool.h>

struct cof;
struct cof_version;

/*
 * P/O: the copy of `first` is gone, so `first` is freed like any other version
 * once it is RETIRED. Returns whether it is.
 */
bool cof_method_unload_first(struct cof *cof, struct cof_version *first);

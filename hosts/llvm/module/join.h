/*
 * join.h - link a program's pieces of bitcode to one, as its linker did
 */
#pragma once

#include <stddef.h>

#include "resolve/resolution.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The joined bitcode, for the caller to free(3). NULL: `why` has the reason.
 * `addresses`: to be made, too; NULL: they are not. */
void *cofl_join(const struct cofl_resolution *resolution, size_t *n_joined,
		struct cofl_join_addresses *addresses, char *why,
		size_t why_bytes);

#ifdef __cplusplus
}
#endif

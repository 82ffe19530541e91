/*
 * join.h - link a program's pieces of bitcode to one, as its linker did
 */
#pragma once

#include <stddef.h>

#include "resolve/resolution.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The joined bitcode, for the caller to free(3). NULL: `why` has the reason. */
void *cofl_join(const struct cofl_resolution *resolution, size_t *n_joined,
		char *why, size_t why_bytes);

#ifdef __cplusplus
}
#endif

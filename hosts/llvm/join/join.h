/*
 * join.h - link a program's pieces of bitcode to one, as its linker did
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "resolve/resolution.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is made; malloc(3). */
struct cofl_joined {
	void  *bitcode;
	size_t n_bitcode;
	void  *addresses;	/* a record of kind COFL_RECORD_ADDRESSES */
	size_t n_addresses;
};

/* False: nothing is made, and `why` has the reason. What LLVM needs for it
 * stays in memory until the process ends, as cof-join's does then. */
bool cofl_join(struct cofl_joined *joined,
	       const struct cofl_resolution *resolution, char *why,
	       size_t why_bytes);
void cofl_joined_free(struct cofl_joined *joined);

#ifdef __cplusplus
}
#endif

/*
 * code_owners.h - the function whose native code is at an address
 *
 * Two names may have one body, as where the linker folds equal ones: then it is
 * the first one's.
 *
 * Thread: any, after init(); constant then.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "native/executable.h"

struct cofl_code_owners {
	const struct cofl_executable *executable;
	uint32_t                     *number;	/* of entries, by address */
	uint32_t                      n;
};

/* Takes a sort of all functions. */
void cofl_code_owners_init(struct cofl_code_owners *owners,
			   const struct cofl_executable *executable);

/* The number of the entry; -1: no function's code is there. */
int64_t cofl_code_owners_find(const struct cofl_code_owners *owners,
			      uintptr_t at);

/* Is it the one that has its body? */
bool cofl_code_owners_has(const struct cofl_code_owners *owners,
			  uint32_t number);

/*
 * bodies.h - the function whose native code is at an address
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

struct cofl_bodies {
	const struct cofl_executable *executable;
	uint32_t                     *number;	/* of entries, by address */
	uint32_t                      n;
};

/* Takes a sort of all functions. */
void cofl_bodies_init(struct cofl_bodies *bodies,
		      const struct cofl_executable *executable);

/* The number of the entry; -1: no function's code is there. */
int64_t cofl_bodies_find(const struct cofl_bodies *bodies, uintptr_t at);

/* Is it the one that has its body? */
bool cofl_bodies_has(const struct cofl_bodies *bodies, uint32_t number);

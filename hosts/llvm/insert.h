/*
 * insert.h - put increments into a clone
 *
 * Thread: the holder of the copy's lock.
 */
#ifndef COFL_INSERT_H
#define COFL_INSERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "body.h"
#include "clone.h"

/* Where a version counts, from the start of a thread's range. */
struct cofl_counters {
	uint32_t  n;		/* 8 bytes each, by chord, from 0; one more, for
				 * what need not be counted */
	bool     *chord;	/* by edge */
	uint32_t *number;	/* by edge that is a chord */
	size_t    sites;	/* where those begin: struct cofl_top each */
	size_t    bytes;	/* of all */
};

void cofl_counters_init(struct cofl_counters *counters,
			const struct cofl_body *body);
void cofl_counters_free(struct cofl_counters *counters);

/* May this function be counted? */
bool cofl_insert_can(LLVMValueRef f);

/*
 * Make function `f` of the unit, whose body is `body`, count at `offset` in its
 * threads' blocks. The body's numbers say nothing about f afterwards.
 */
void cofl_insert(struct cofl_unit *unit, LLVMValueRef f,
		 const struct cofl_body *body,
		 const struct cofl_counters *counters, uint32_t offset);

#endif /* COFL_INSERT_H */

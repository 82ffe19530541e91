/*
 * insert.h - insert counters' increments into a clone
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "count/counters.h"
#include "ir/body.h"
#include "ir/clone.h"

/* May this function be counted? If not, `why` has the reason. */
bool cofl_insert_can(LLVMValueRef f, char *why, size_t why_bytes);

/*
 * Make function `f` of the unit, whose body is `body`, count at `offset` of
 * each thread's block. The body's numbers do not fit f afterwards.
 */
void cofl_insert(struct cofl_clone *unit, LLVMValueRef f,
		 const struct cofl_body *body,
		 const struct cofl_counters *counters, uint32_t offset);

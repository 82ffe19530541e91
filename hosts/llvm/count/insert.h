/*
 * insert.h - put increments into a clone
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ir/body.h"
#include "ir/clone.h"
#include "count/counters.h"

/* May this function be counted? */
bool cofl_insert_can(LLVMValueRef f);

/*
 * Make function `f` of the unit, whose body is `body`, count at `offset` in its
 * threads' blocks. The body's numbers say nothing about f afterwards.
 */
void cofl_insert(struct cofl_clone *unit, LLVMValueRef f,
		 const struct cofl_body *body,
		 const struct cofl_counters *counters, uint32_t offset);

/*
 * insert.h - insert counters' increments into a clone
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "profile/counters.h"
#include "ir/body.h"
#include "ir/clone.h"

/*
 * Make function `f` of the unit, whose body is `body`, count in each thread's
 * block, where the unit's process words say. The body's numbers do not fit f
 * afterwards.
 */
void cofl_insert(struct cofl_clone *unit, LLVMValueRef f,
		 const struct cofl_body *body,
		 const struct cofl_counters *counters);

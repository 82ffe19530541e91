/*
 * chords.h - which edges of a body are counted
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include "ir/body.h"
#include "profile/counters.h"

/* May this function be counted? If not, `why` has the reason. */
bool cofl_chords_can(LLVMValueRef f, char *why, size_t why_bytes);

/* The counters of a body that was not changed yet. */
void cofl_chords_find(struct cofl_counters *counters,
		      const struct cofl_body *body);

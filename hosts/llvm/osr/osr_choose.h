/*
 * osr_choose.h - which loops get a continuation
 *
 * Of each running nest the outermost loop that goes round is taken, and the
 * loops around it are built besides, unless that is too much code.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "link/osr_points.h"
#include "points/osr_entry.h"

/* All arrays are by loop. */
struct cofl_osr_choice {
	const struct cofl_osr_points *points;	/* of the version to be left */
	void *const *peer;	/* continuations whose loops are to be chosen;
				 * NULL: those that go round are */
	uint64_t    *arrived;	/* how often a thread passed the point */
	bool        *wanted;	/* lead frames from here */
	bool        *built;	/* these, and what they go on to */
};

/* False: no memory. cofl_osr_choice_free() it in any case. */
bool cofl_osr_choice_init(struct cofl_osr_choice *choice,
			  const struct cofl_osr_points *points);
void cofl_osr_choice_free(struct cofl_osr_choice *choice);

/* Fill in ->wanted and ->built for the loops of `f`. False: none is. */
bool cofl_osr_choose(struct cofl_osr_choice *choice,
		     const struct cofl_osr_entries *osr, LLVMValueRef f);

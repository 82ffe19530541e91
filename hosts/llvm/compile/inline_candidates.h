/*
 * inline_candidates.h - which callees are worth showing to the inliner
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "compile/unit_members.h"

/* Could the method be inlined into others? Reads its body. */
bool cofl_inline_candidates_may(struct cofl_copy *copy,
				const struct cofl_method *method);

/* Add the callees of all bodies, and theirs in turn, to the unit of so many
 * members. False: ->why. */
bool cofl_inline_candidates_show(struct cofl_unit_members *g,
				 size_t n_members);

/*
 * inline_candidates.h - which callees are worth showing to the inliner
 *
 * Thread: the holder of the copy's lock.
 */
#ifndef COFL_COMPILE_INLINE_CANDIDATES_H
#define COFL_COMPILE_INLINE_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

#include "compile/unit_members.h"

/* Could the method be inlined into others? Reads its body. */
bool cofl_inline_candidates_may(struct cofl_copy *copy, const struct cofl_method *method);

/* Add callees of all parts, and of these in turn, to the parts of so many
 * members. False: ->why. */
bool cofl_inline_candidates_show(struct cofl_unit_members *parts, size_t n_members);

#endif /* COFL_COMPILE_INLINE_CANDIDATES_H */

/*
 * callees.h - which callees are worth showing to the inliner
 *
 * Thread: the holder of the copy's lock.
 */
#ifndef COFL_CALLEES_H
#define COFL_CALLEES_H

#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

/* Could the method be inlined into others? Reads its body. */
bool cofl_callees_may(struct cofl_copy *copy, const struct cofl_method *method);

/* Add callees of all parts, and of these in turn, to the parts of so many
 * members. False: ->why. */
bool cofl_callees_show(struct cofl_parts *parts, size_t n_members);

#endif /* COFL_CALLEES_H */

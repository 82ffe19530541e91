/*
 * osr_sparse.h - which of the loops that can be left have a point
 *
 * Each point stores the values live there, and keeps them alive up to it. With
 * dozens of points a large interpreter's loop compiles to three times the code,
 * in twice the time. So inner loops share a number of live values, outer loops
 * first.
 *
 * Pure. Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "points/osr_entry.h"

/* Of the possible entries, leave those that are to have a point; all in keep[],
 * by loop (NULL: none); others not where they cost more than they bring.
 * Together, points of inner loops have `most_live` values. */
void cofl_osr_sparse(struct cofl_osr_entries *osr, const bool *keep,
		     uint32_t most_live);

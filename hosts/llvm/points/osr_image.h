/*
 * osr_image.h - which loops have points, and the points of an image
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ir/clone.h"

/* For code that is to be fast: only points that are worth it, and keep[]. */
void cofl_osr_image_sparse(struct cofl_clone *unit, const bool *keep);

/* For code that is to be there soon: every loop, since nobody can say how long a
 * frame is in there; of those in other loops as many as are compiled in time. They
 * are polled (link/osr_points.h). */
void cofl_osr_image_affordable(struct cofl_clone *unit);

/*
 * The points of an image, whose code does not know where its words are before it
 * is loaded: begin; for each method, in order, before it is cloned: method(), and
 * cofl_osr_point_finish() after, or none(): it is not in this piece; end.
 */
void cofl_osr_image_begin(struct cofl_clone *unit, uint32_t n_methods);
void cofl_osr_image_method(struct cofl_clone *unit, LLVMValueRef f, uint32_t i);
void cofl_osr_image_none(struct cofl_clone *unit, uint32_t i);
void cofl_osr_image_end(struct cofl_clone *unit, uint32_t n_methods);

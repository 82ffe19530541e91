/*
 * osr_image.h - which loops have points, and the points of an image
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ir/clone.h"

/* For fast code: points in keep[] (NULL: none), and where they pay. */
void cofl_osr_image_sparse(struct cofl_clone *unit, const bool *keep);

/*
 * For code that is needed soon: a point in every outer loop, since nobody knows
 * how long a frame stays there, and in as many inner loops as compile in time.
 * The points are polled (link/osr_points.h).
 */
void cofl_osr_image_affordable(struct cofl_clone *unit);

/*
 * The points of an image, whose code does not know where its words are until
 * it is loaded. Call begin(); method() for each method, in order; end(). Call
 * method() before `f` is cloned, cofl_osr_point_finish() after. For a method
 * that is not in this piece `f` is NULL.
 */
void cofl_osr_image_begin(struct cofl_clone *unit, uint32_t n_methods);
void cofl_osr_image_method(struct cofl_clone *unit, LLVMValueRef f, uint32_t i);
void cofl_osr_image_end(struct cofl_clone *unit, uint32_t n_methods);

/*
 * points.h - the points in the executable's own code
 *
 * As cof-cc recorded them (support/native_points.h). They are armed a page at a
 * time (native/text_page.h).
 */
#pragma once

#include <stdint.h>

#include "native/executable.h"

struct cofl_osr_points;

/* Those of the function with entry number `i`, for good; NULL: it has none, or
 * a record is wrong. Thread: any. */
struct cofl_osr_points *cofl_points_of(const struct cofl_executable *e,
				       uint32_t i);

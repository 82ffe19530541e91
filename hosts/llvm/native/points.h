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

/* Those of the function with entry number `i`, for good; NULL: it has none,
 * a record is wrong, or there is no memory. Thread: any. */
struct cofl_osr_points *cofl_points_of(const struct cofl_executable *e,
				       uint32_t i);

/* They are as the linker left them, and stay so on pages that are left to the
 * program (native/text_page.h), which has not written there so far. */
void cofl_points_restore(const struct cofl_osr_points *points);

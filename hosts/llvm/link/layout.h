/*
 * layout.h - lay the sections of an object out, one after the other in a block
 *
 * Thread: the holder of the loader's lock.
 */
#pragma once

#include <stdint.h>

#include "cof.h"
#include "link/object.h"
#include "link/section_placement.h"

/*
 * Lay out what takes memory: code first, zeros last. Returns the bytes it
 * takes. With a block, also place it there, and set *eh_frame to the address at
 * which the unwind tables run, if there are any.
 */
uint64_t cofl_layout(struct cofl_section_placement *place,
		     const struct cof_code *block, void **eh_frame);

/* The size of the unwind tables, without the zeros at their end. 0: there are
 * none. */
uint64_t cofl_layout_eh_frame_bytes(const struct cofl_object *o);

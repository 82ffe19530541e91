/*
 * layout.h - lay the sections of an object out, one after the other in a block
 *
 *	sections		of a version	of a program
 *	code			a version	-
 *	text			-		code memory
 *	read-only, writable	-		pages of their own
 *
 * LLVM writes several sections of one name if their contents differ in kind.
 * They are laid out together, as a linker would join them.
 *
 * Thread: the holder of the loader's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"
#include "link/object.h"
#include "link/section_placement.h"

/* Is section `i` of this kind? */
typedef bool cofl_layout_takes(const struct cofl_object *o, uint32_t i);

cofl_layout_takes cofl_layout_code;	/* all but thread-local variables */
cofl_layout_takes cofl_layout_text;	/* the executable part of that, */
cofl_layout_takes cofl_layout_read_only; /* the part never written, */
cofl_layout_takes cofl_layout_writable;	/* and the rest */

/*
 * Lay out the sections that `takes` selects: code first, zeros last, sections
 * of one name together. Returns the bytes they take. With a block, also place
 * them there, and set *eh_frame to the address at which the unwind tables run,
 * if they are among them.
 */
uint64_t cofl_layout(struct cofl_section_placement *place,
		     cofl_layout_takes *takes, const struct cof_code *block,
		     void **eh_frame);

/* The same in plain memory, on pages of their own. If no section is selected,
 * out->exec is NULL. 0, or -COF_E_NOMEM and place->why. */
int cofl_layout_plain(struct cofl_section_placement *place,
		      cofl_layout_takes *takes, void **eh_frame,
		      struct cof_code *out);

/* The size of the unwind tables, without the zeros at their end. 0: there are
 * none. */
uint64_t cofl_layout_eh_frame_bytes(const struct cofl_object *o);

/*
 * layout.h - sections of an object, one after the other in a block
 *
 *	which sections		whose code	a program's
 *	code			a version	-
 *	text			-		code memory
 *	read-only, writable	-		pages of their own
 *
 * Sections of one name, which LLVM writes if some of what is in them differs in
 * kind, come together, as a linker would join them.
 *
 * Thread: the holder of the loader's lock.
 */
#ifndef COFL_LINK_LAYOUT_H
#define COFL_LINK_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"
#include "link/object.h"
#include "link/section_placement.h"

/* Does section `i` belong to it? */
typedef bool cofl_layout_takes(const struct cofl_object *o, uint32_t i);

cofl_layout_takes cofl_layout_code;	/* all but thread-local variables */
cofl_layout_takes cofl_layout_text;	/* of that, what is executed, */
cofl_layout_takes cofl_layout_read_only; /* what is never written, */
cofl_layout_takes cofl_layout_writable;	/* and what is */

/*
 * Lay all sections that `takes` out one after the other, code first, zeros last and
 * those of one name together, and measure. With a block, place them in it as well,
 * and *eh_frame is where the unwind tables run, if they are among them; else it
 * is left alone.
 */
uint64_t cofl_layout(struct cofl_section_placement *place, cofl_layout_takes *takes,
		     const struct cof_code *block, void **eh_frame);

/* The same in plain memory, page by page of its own. 0, or -COF_E_NOMEM and
 * why. No bytes, no memory: then out->exec is NULL. */
int      cofl_layout_plain(struct cofl_section_placement *place, cofl_layout_takes *takes,
			   void **eh_frame, struct cof_code *out);

/* Of the unwind tables, without what ends them. 0: there are none. */
uint64_t cofl_layout_eh_frame_bytes(const struct cofl_object *o);

#endif /* COFL_LINK_LAYOUT_H */

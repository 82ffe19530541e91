/*
 * exports.h - symbols that an object defines get their addresses
 *
 * Thread: the holder of the loader's lock, before guest code runs.
 */
#pragma once

#include <stddef.h>

#include "link/section_placement.h"

/*
 * Place thread-local variables. Returns their image, which is never freed:
 * *size bytes, of which those after the first *bytes are zero. NULL: there are
 * none.
 */
char *cofl_exports_tls(struct cofl_section_placement *place, size_t *bytes,
		       size_t *size, size_t *align);

/* Symbols in placed sections get their addresses. */
void  cofl_exports_symbols(struct cofl_section_placement *place);

/* So do __start_NAME and __stop_NAME, which linkers define for section NAME. */
void  cofl_exports_bounds(struct cofl_section_placement *place);

/* So do the names that linkers define for the whole program (end(3)), unless it
 * has its own. They bound its variables only, since its code has no fixed
 * place. */
void  cofl_exports_ends(struct cofl_section_placement *place);

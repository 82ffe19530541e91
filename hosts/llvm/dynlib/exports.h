/*
 * exports.h - what an object defines becomes the program's
 *
 * Thread: the holder of the loader's lock; before any guest code runs.
 */
#ifndef COFL_DYNLIB_EXPORTS_H
#define COFL_DYNLIB_EXPORTS_H

#include <stddef.h>

#include "link/section_placement.h"

/*
 * Place thread-local variables: their image, of `bytes` that are not zero and
 * `size` in all, to be kept for good. NULL: there are none.
 */
char *cofl_exports_tls(struct cofl_section_placement *place, size_t *bytes, size_t *size,
		       size_t *align);

/* Names of what is placed get their addresses. */
void  cofl_exports_symbols(struct cofl_section_placement *place);

/* So do __start_NAME and __stop_NAME, which linkers make for sections called
 * so. */
void  cofl_exports_bounds(struct cofl_section_placement *place);

/* And those that linkers make for the program as a whole, end(3), if it has none of
 * that name: around its variables, since its code has no place of its own. */
void  cofl_exports_ends(struct cofl_section_placement *place);

#endif /* COFL_DYNLIB_EXPORTS_H */

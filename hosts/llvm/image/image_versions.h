/*
 * image_versions.h - versions of methods whose code came with the whole program's
 *
 * Thread: any; no lock is held.
 */
#ifndef COFL_IMAGE_IMAGE_VERSIONS_H
#define COFL_IMAGE_IMAGE_VERSIONS_H

#include <stdbool.h>

#include "cof.h"
#include "link/section_placement.h"

/* Methods whose body came with the data: their first and only version. 0, or
 * -enum cof_err and why. */
int cofl_image_versions_add_pinned(struct cofl_section_placement *place, const struct cof_code *text);

/*
 * Of a piece of an image: a version for each method in it, with the calls in its
 * body; if the program runs already, for those that want one.
 * host->image_version is made by the first one. 0, or -enum cof_err and why.
 */
int cofl_image_versions_add(struct cofl_section_placement *place, const struct cofl_piece *piece,
		      bool begins);

#endif /* COFL_IMAGE_IMAGE_VERSIONS_H */

/*
 * image_versions.h - versions of methods whose code came with the program's
 *
 * Thread: any; no lock is held.
 */
#pragma once

#include <stdbool.h>

#include "cof.h"
#include "link/section_placement.h"

/* Add the only version of each pinned method, whose body came with the data. 0,
 * or -enum cof_err and place->why. */
int cofl_image_versions_add_pinned(struct cofl_section_placement *place,
				   const struct cof_code *text);

/*
 * Add a version for each method in a piece of an image, with the calls in its
 * body. If the program is running already (`begins` is false), only methods
 * that still want one get it. The first call allocates host->image_version. 0,
 * or -enum cof_err and place->why.
 */
int cofl_image_versions_add(struct cofl_section_placement *place,
			    const struct cofl_piece *piece, bool begins);

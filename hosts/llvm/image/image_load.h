/*
 * image_load.h - load a program from its image
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "image/image_stream.h"
#include "program/host.h"

/*
 * Enter the program's names and place its data. False: `why` has the reason.
 * Thread: the one that opens the program.
 */
bool cofl_image_load(struct cofl *host, const struct cofl_image *image,
		     char *why, size_t why_bytes);

/* After its libraries are open: bind the program, load the rest of the code,
 * add a version to each method, and call the resolvers of ifuncs. False: `why`
 * has the reason. The same thread. */
bool cofl_image_bind(struct cofl *host, const struct cofl_image *image,
		     char *why, size_t why_bytes);

/*
 * Go over to the image of a program that began without it. Methods that have
 * not run, or still run their first version, get versions from the image.
 * Variables stay where they are. False: `why` has the reason. Thread: any,
 * while the program runs.
 */
bool cofl_image_adopt(struct cofl *host, const struct cofl_image *image,
		      char *why, size_t why_bytes);

/*
 * The same with the pieces that have come so far of an image that is being
 * made. Returns their number, or a negative number and `why`. Thread: as above.
 */
int  cofl_image_take(struct cofl *host, struct cofl_image_stream *stream,
		     char *why, size_t why_bytes);

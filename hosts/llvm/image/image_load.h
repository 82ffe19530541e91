/*
 * image_load.h - a program from its image
 */
#ifndef COFL_IMAGE_IMAGE_LOAD_H
#define COFL_IMAGE_IMAGE_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "image/image_stream.h"
#include "program/host.h"

/*
 * Give names addresses, place the data. False: why. Thread: the one that opens the
 * program.
 */
bool cofl_image_load(struct cofl *host, const struct cofl_image *image,
		     char *why, size_t why_bytes);

/* Then, with its libraries there: bind it, load the rest of the code, add a version to
 * each method, and ask the resolvers of ifuncs. False: why. Same thread. */
bool cofl_image_bind(struct cofl *host, const struct cofl_image *image,
		     char *why, size_t why_bytes);

/*
 * The program began without the image, which is there now: the methods that
 * still run as compiled at first, or have not run, get their versions from it.
 * Variables stay where they are. False: why. Thread: any one, while the program
 * runs.
 */
bool cofl_image_adopt(struct cofl *host, const struct cofl_image *image,
		      char *why, size_t why_bytes);

/*
 * The same for the pieces that are there by now of an image that is being made:
 * how many they were, or a negative number and why. Thread: as above.
 */
int  cofl_image_take(struct cofl *host, struct cofl_image_stream *delivery,
		     char *why, size_t why_bytes);

#endif /* COFL_IMAGE_IMAGE_LOAD_H */

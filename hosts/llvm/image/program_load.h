/*
 * program_load.h - place the object of a whole program and bind it
 *
 * As link/loader.h, for what there is one of: the program's data, or its image.
 *
 * Thread: any; takes the loader's lock.
 */
#ifndef COFL_IMAGE_PROGRAM_LOAD_H
#define COFL_IMAGE_PROGRAM_LOAD_H

#include <stddef.h>

#include "program/host.h"
#include "link/object.h"

/*
 * What defines the program's variables is loaded in two steps, between which the
 * program's libraries are opened: they may refer to these by name (dynlib/exported_names.h), and the
 * program refers to theirs. The bytes stay until the second step is done.
 *
 * The first: place the object, and its global symbols become the program's. Either an
 * object of the data (and, by module-level asm or pinned methods, some code), or the
 * first piece of an image.
 */
int  cofl_program_load_data(struct cofl *host, const void *object, size_t n, char *why,
		    size_t why_bytes);
int  cofl_program_load_first(struct cofl *host, const struct cofl_object *object,
		     char *why, size_t why_bytes);

/* The second: find what it refers to, and add to libcof the versions that are in it,
 * those of pinned methods or all. Once, after one of the above returned 0. */
int  cofl_program_load_bind(struct cofl *host, char *why, size_t why_bytes);

/*
 * Load another piece of an image, with code of a program that begins; or one of a
 * program that runs already, for those of its methods that want it. Versions are added
 * to libcof.
 */
enum cofl_program_load { COFL_PROGRAM_LOAD_CODE, COFL_PROGRAM_LOAD_LATER };

int  cofl_program_load_piece(struct cofl *host, const struct cofl_object *object,
		     enum cofl_program_load as, char *why, size_t why_bytes);

#endif /* COFL_IMAGE_PROGRAM_LOAD_H */

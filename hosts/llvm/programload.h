/*
 * programload.h - place the object of a whole program and bind it
 *
 * As loader.h, for what there is one of: the program's data, or its image.
 *
 * Thread: any; takes the loader's lock.
 */
#ifndef COFL_PROGRAMLOAD_H
#define COFL_PROGRAMLOAD_H

#include <stddef.h>

#include "host.h"
#include "object.h"

/*
 * Load the object that defines the program's data (and, by module-level asm or
 * pinned methods, some code); its global symbols become the program's. Versions
 * of pinned methods are added to libcof.
 */
int  cofl_load_data(struct cofl *host, const void *object, size_t n, char *why,
		    size_t why_bytes);

/*
 * Load a piece of an image: the first one, whose variables are the program's from
 * then on; one with code of a program that begins; or that of a program that runs
 * already, for those of its methods that want it. Versions are added to libcof.
 */
enum cofl_load { COFL_LOAD_FIRST, COFL_LOAD_CODE, COFL_LOAD_LATER };

int  cofl_load_piece(struct cofl *host, const struct cofl_object *object,
		     enum cofl_load as, char *why, size_t why_bytes);

#endif /* COFL_PROGRAMLOAD_H */

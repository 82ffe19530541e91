/*
 * program_load.h - place the object of a whole program and bind it
 *
 * As link/loader.h, for the objects of which a program has one: its data, or
 * its image.
 *
 * Thread: any; takes the loader's lock.
 */
#pragma once

#include <stddef.h>

#include "link/object.h"
#include "program/host.h"

/*
 * The object that defines the program's variables is loaded in two steps.
 * Between them the program's libraries are opened: they may refer to the
 * variables by name (dynlib/exported_names.h), and the program refers to
 * theirs. The object's bytes must stay until the second step is done.
 *
 * First step: place the object; its global symbols become the program's.
 * `data`: an object of the data, with code of module-level assembly and pinned
 * methods. `first`: the first piece of an image. 0, or -enum cof_err and `why`.
 */
int cofl_program_load_data(struct cofl *host, const void *object, size_t n,
			   char *why, size_t why_bytes);
int cofl_program_load_first(struct cofl *host, const struct cofl_object *object,
			    char *why, size_t why_bytes);

/* Second step: bind the object, and add its versions to libcof: those of pinned
 * methods, or all of an image. Once, after the first step returned 0. */
int  cofl_program_load_bind(struct cofl *host, char *why, size_t why_bytes);

/*
 * Load another piece of an image and add its versions to libcof. CODE: the
 * program has not begun. LATER: the program is running; only methods that still
 * want a version get one.
 */
enum cofl_program_load { COFL_PROGRAM_LOAD_CODE, COFL_PROGRAM_LOAD_LATER };

int cofl_program_load_piece(struct cofl *host, const struct cofl_object *object,
			    enum cofl_program_load as, char *why,
			    size_t why_bytes);

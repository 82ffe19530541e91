/*
 * loader.h - place an object file in code memory and bind it
 *
 * Calls of the program's own methods are recorded for libcof to bind; everything
 * else is bound here: data relative to the code, far functions through a jump in
 * reach, far data through a word in reach.
 *
 * Thread: any; takes the loader's lock.
 */
#ifndef COFL_LOADER_H
#define COFL_LOADER_H

#include <stddef.h>

#include "host.h"
#include "object.h"

/*
 * Load the object of a version whose body is the symbol `body`. On success *out
 * is filled in, out->data a struct cofl_version. On failure why says what is
 * missing, nothing is left behind.
 *
 * 0, -COF_E_NOMEM (code memory), -COF_E_INVAL.
 */
int  cofl_load_version(struct cofl *host, const void *object, size_t n,
		       const char *body, enum cof_plan plan,
		       struct cof_version_desc *out, char *why, size_t why_bytes);

/* Forget a version: unwind tables and what it holds; not its code block. NULL is
 * fine. */
void cofl_unload_version(struct cofl_version *version);

/*
 * Load the object that defines the program's data (and, by module-level asm or
 * pinned methods, some code); its global symbols become the program's. Versions
 * of pinned methods are added to libcof.
 */
int  cofl_load_data(struct cofl *host, const void *object, size_t n, char *why,
		    size_t why_bytes);

/*
 * Load the object of an image: all of the program, or, if it does not begin but
 * runs already, its code once more. Versions are added to libcof.
 */
int  cofl_load_image(struct cofl *host, const struct cofl_object *object,
		     bool begins, char *why, size_t why_bytes);

#endif /* COFL_LOADER_H */

/*
 * loader.h - place the object of a version in code memory and bind it
 *
 * Calls of the program's own methods are recorded for libcof to bind; everything
 * else is bound here: data relative to the code, far functions through a jump in
 * reach, far data through a word in reach.
 *
 * Thread: any; takes the loader's lock.
 */
#ifndef COFL_LINK_LOADER_H
#define COFL_LINK_LOADER_H

#include <stddef.h>

#include "program/host.h"
#include "link/object.h"

/*
 * Load the object of a version whose body is the symbol `body`. On success *out
 * is filled in, out->data a struct cofl_version. On failure why says what is
 * missing, nothing is left behind.
 *
 * 0, -COF_E_NOMEM (code memory), -COF_E_INVAL.
 */
int  cofl_loader_load(struct cofl *host, const void *object, size_t n,
		       const char *body, enum cof_plan plan,
		       struct cof_version_desc *out, char *why, size_t why_bytes);

/* Forget a version: unwind tables and what it holds; not its code block. NULL is
 * fine. */
void cofl_loader_unload(struct cofl_version *version);

#endif /* COFL_LINK_LOADER_H */

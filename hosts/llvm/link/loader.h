/*
 * loader.h - place the object of a version in code memory and bind it
 *
 *	call of a method of the program	recorded, for libcof to bind
 *	far function			through a jump in reach
 *	far data			through a word in reach
 *	other data			relative to the code
 *
 * Thread: any; takes the loader's lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cofl.h"

/*
 * Load the object of a version whose body is the symbol `body`. Fills *out in;
 * out->data is a new struct cofl_version, for cofl_loader_unload(). On failure
 * `why` has the reason and nothing is left behind.
 *
 * 0, -COF_E_NOMEM (code memory is full), -COF_E_INVAL.
 */
int cofl_loader_load(struct cofl *host, const void *object, size_t n,
		     const char *body, enum cof_plan plan,
		     struct cof_version_desc *out, char *why, size_t why_bytes);

/* The loaded code has points that read these words: find the points. True: the
 * version owns them now. */
bool cofl_loader_add_points(struct cof_version_desc *desc,
			    struct cofl_osr_points *points);

/* Unregister the version's unwind tables and free it, but not its code block.
 * NULL, and the executable's code, are left alone. Takes the loader's lock. */
void cofl_loader_unload(struct cofl *host, struct cofl_version *version);

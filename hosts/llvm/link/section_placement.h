/*
 * section_placement.h - where an object's sections go, and binding them there
 *
 * A placed section has two addresses: where it is written now and where it will
 * run.
 *
 * Thread: the holder of the loader's lock.
 */
#pragma once

#include <stdint.h>

#include "cofl.h"
#include "link/object.h"

struct cofl_target;

struct cofl_section_placement {
	struct cofl              *host;
	const struct cofl_object *object;
	char                    **write;	/* by section; NULL: none */
	uintptr_t                *run;
	struct cofl_target       *target;	/* by symbol, once looked up */

	/* Calls of methods, found while binding; realloc(3)'s. */
	struct cof_call_site     *calls;
	size_t                    n_calls, capacity;

	char                     *why;
	size_t                    why_bytes;
};

void cofl_section_placement_init(struct cofl_section_placement *place,
				 struct cofl *host,
				 const struct cofl_object *object, char *why,
				 size_t why_bytes);

/* Free all but .calls. */
void cofl_section_placement_free(struct cofl_section_placement *place);

/* Round `offset` up to the alignment of section `i`. */
uint64_t cofl_section_placement_align(const struct cofl_object *object,
				      uint32_t i, uint64_t offset);

/* Place section `i` at these addresses and copy its contents. */
void cofl_section_placement_section(struct cofl_section_placement *place,
				    uint32_t i, char *write, uintptr_t run);

/* Apply all relocations of placed sections. 0, or -COF_E_INVAL and
 * place->why. */
int  cofl_section_placement_bind(struct cofl_section_placement *place);

/* The address at which a symbol of the object will run; 0: the object does not
 * define it, or it is not placed. */
uintptr_t
cofl_section_placement_find(const struct cofl_section_placement *place,
			    const char *symbol);

/* The same for the last section of that name, and its size in *bytes. NULL:
 * there is none, and *bytes is unchanged. */
const void *
cofl_section_placement_find_section(const struct cofl_section_placement *place,
				    const char *name, size_t *bytes);

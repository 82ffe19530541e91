/*
 * section_placement.h - where the sections of an object go, and binding them there
 *
 * Shared by loader.h and image/program_load.h. A placed section has two addresses:
 * where it is written now and where it will run. They are the same for data.
 */
#ifndef COFL_LINK_SECTION_PLACEMENT_H
#define COFL_LINK_SECTION_PLACEMENT_H

#include <stdint.h>

#include "program/host.h"
#include "link/object.h"

struct cofl_target;

struct cofl_section_placement {
	struct cofl              *host;
	const struct cofl_object *object;
	char                    **write;	/* by section; NULL: not placed */
	uintptr_t                *run;
	uintptr_t                *tls_offset;	/* by section, in the image */
	struct cofl_target       *target;	/* by symbol, once looked up */

	/* Calls of methods found while binding. */
	struct cof_call_site     *calls;
	size_t                    n_calls, room;

	char                     *why;
	size_t                    why_bytes;
};

void cofl_section_placement_init(struct cofl_section_placement *place, struct cofl *host,
		     const struct cofl_object *object, char *why,
		     size_t why_bytes);
void cofl_section_placement_free(struct cofl_section_placement *place);	/* all but .calls */

/* Round `offset` up to what section `i` needs. */
uint64_t cofl_section_placement_align(const struct cofl_object *object, uint32_t i,
			  uint64_t offset);

/* Put section `i` at these addresses, contents and all. */
void cofl_section_placement_section(struct cofl_section_placement *place, uint32_t i, char *write,
			uintptr_t run);

/* Apply all relocations of placed sections. 0 or -COF_E_INVAL and why. */
int  cofl_section_placement_bind(struct cofl_section_placement *place);

/* Where a symbol of the object will run; 0: it has none, or it is not placed. */
uintptr_t   cofl_section_placement_find(const struct cofl_section_placement *place, const char *symbol);

/* The same for a section of that name, the last one if there are more, and its
 * size; NULL: there is none, and *bytes is left alone. */
const void *cofl_section_placement_find_section(const struct cofl_section_placement *place,
				    const char *name, size_t *bytes);

#endif /* COFL_LINK_SECTION_PLACEMENT_H */

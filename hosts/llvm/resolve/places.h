/*
 * places.h - where the executable has the names of its joined bitcode
 *
 * Strings are borrowed, as those of resolution.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "resolve/definitions.h"

/* A name that is not local to an object. */
struct cofl_place {
	const char *name;	/* as the assembler has it */
	const char *version;	/* of a library's; NULL: any */
	uint64_t    address;
	uint32_t    flags;	/* COFL_ADDRESS_... (support/addresses.h) */
	bool        defined;	/* by a piece */
};

struct cofl_places {
	struct cofl_place *place;	/* by name, each once */
	size_t             n;
};

/* NAME.cofN is what the assembly of piece N has for itself as NAME. */
#define COFL_PLACES_LABEL ".cof"

/* Enter what the executable defines, after cofl_final_names(). */
void cofl_places_define(struct cofl_places *places,
			const struct cofl_definitions *all);

/* Enter a name as the joined bitcode has it, which its piece calls `d`. */
void cofl_places_refer(struct cofl_places *places,
		       const struct cofl_elf_symbols *symbols,
		       const struct cofl_definition *d, const char *joined);

/* All are entered. */
void cofl_places_sort(struct cofl_places *places);

/* NULL: there is none of that name. */
const struct cofl_place *cofl_places_find(const struct cofl_places *places,
					  const char *name);

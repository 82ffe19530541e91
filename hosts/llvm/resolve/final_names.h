/*
 * final_names.h - what each definition is called in the joined bitcode
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "resolve/definitions.h"

/*
 * Set ->final, and ->discarded. Names are those that the executable has at the
 * definitions' addresses, so that libraries and dlsym(3) find what they find
 * natively. Definitions without one there get one that nothing else has. False:
 * two would have the same name, and `why` has it.
 */
bool cofl_final_names(struct cofl_definitions *all,
		      const struct cofl_elf_symbols *symbols, char *why,
		      size_t why_bytes);

/* Is a definition called so in the joined bitcode? After that. */
bool cofl_final_names_has(const struct cofl_definitions *all, const char *name);

/* An ifunc of that name, or what is ->discarded; NULL: there is neither. */
const struct cofl_definition *
cofl_final_names_special(const struct cofl_definitions *all, const char *name);

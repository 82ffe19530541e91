/*
 * wrapped.h - names for which the linker takes others (--wrap)
 *
 * GNU ld does not do so in sections of debug information, so what it notes
 * there is undone here: there, __wrap_NAME leads to NAME, which it does only if
 * NAME is wrapped. Other linkers note the truth.
 */
#pragma once

#include "resolve/definitions.h"

/* Correct ->resolved. False: what is wrapped cannot be told, and `why` says
 * so. */
bool cofl_wrapped_apply(struct cofl_definitions *all,
			const struct cofl_elf_symbols *symbols, char *why,
			size_t why_bytes);

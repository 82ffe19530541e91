/*
 * references.h - what a name means that a piece refers to
 */
#pragma once

#include "resolve/definitions.h"
#include "resolve/resolution.h"

/* An executable that is looked at. */
struct cofl_linked {
	const char             *bytes;
	size_t                  n_bytes;
	struct cofl_elf_symbols symbols;
	struct cofl_definitions definitions;
};

enum cofl_reference {
	COFL_REFERENCE_STAYS,	/* the name means what it says */
	COFL_REFERENCE_DECIDED,	/* *out has what it means */
	COFL_REFERENCE_FOREIGN,	/* it is in code without bitcode */
};

/* Decide on a name that its piece does not define, or that means something
 * other than the piece's definition. */
enum cofl_reference cofl_references_decide(const struct cofl_linked *linked,
					   const struct cofl_definition *d,
					   struct cofl_decision *out);

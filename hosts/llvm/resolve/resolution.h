/*
 * resolution.h - what the names in a program's pieces of bitcode mean, as the
 * linker decided
 *
 *	executable --> definitions --> final names --> decisions -> joined
 *	               by address      by its symbols  for each    bitcode,
 *	                                               piece       join/join.h
 *
 * The executable is the only source. It has code of everything, so what cannot
 * be told from it is refused, and the program runs as it was compiled.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "resolve/places.h"

/* What becomes of a name in its piece. */
enum cofl_decision_kind {
	COFL_DECISION_RENAME,	/* what it names is called `to` */
	COFL_DECISION_BIND,	/* it means `to`; its own definition goes */
	COFL_DECISION_SPLIT,	/* its definition stays; where the piece names
				 * it, it means `to` */
	COFL_DECISION_OFFSET,	/* it means `value` bytes behind `to` */
	COFL_DECISION_VALUE,	/* it means the number `value` */
	COFL_DECISION_MISSING,	/* it may be missing: nothing needs it */
	COFL_DECISION_DROP,	/* nothing has it */
};

struct cofl_decision {
	const char             *name;	/* as the assembler has it */
	enum cofl_decision_kind kind;
	const char             *to;
	uint64_t                value;
};

struct cofl_piece_decisions {
	const char           *bytes;	/* bitcode */
	size_t                n_bytes;
	struct cofl_decision *decision;	/* names not in here stay */
	size_t                n;
	struct cofl_local_place *local;
	size_t                n_locals;
};

struct cofl_resolution {
	struct cofl_piece_decisions *piece;
	size_t                       n_pieces;
	struct cofl_places           places;
	const char                  *bytes;	/* of the executable */
	size_t                       n_bytes;
};

/* `records`: the executable's section of bitcode. False: `why` has what is
 * refused. Its strings are borrowed from the bytes, or never freed. */
bool cofl_resolution_open(struct cofl_resolution *resolution, const char *bytes,
			  size_t n_bytes, const char *records, size_t n_records,
			  char *why, size_t why_bytes);
void cofl_resolution_close(struct cofl_resolution *resolution);

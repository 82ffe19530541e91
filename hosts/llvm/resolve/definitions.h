/*
 * definitions.h - pieces of bitcode, and where the linker put what they define
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "resolve/elf_symbols.h"
#include "support/linkage.h"

/* A name of a piece. */
struct cofl_definition {
	const char *name, *version;	/* version: NULL if it has none */
	uint64_t    resolved, own;
	uint32_t    flags;		/* COFL_LINKAGE_... */
	uint32_t    piece;
	struct cofl_definition *is;	/* the definition that the name means;
					 * itself if it is that; NULL: none */
	bool        split;		/* other pieces mean it, and its own
					 * references lead elsewhere */
	const char *final;		/* its name in the joined bitcode; NULL:
					 * not defined there, or local */
	bool        discarded;		/* by the linker, and nothing else has
					 * its name */
};

/* Where something is that is local to its object. */
struct cofl_local_place {
	const char *name;
	uint64_t    address;
	uint32_t    flags;		/* COFL_LINKAGE_... */
};

/* One object's bitcode. */
struct cofl_bitcode_piece {
	const char *bytes;
	size_t      n_bytes;
	struct cofl_definition *name;	/* in the order of the object */
	size_t      n_names;
	struct cofl_local_place *local;
	size_t      n_locals;
};

struct cofl_definitions {
	struct cofl_bitcode_piece *piece;	/* in the linker's order */
	size_t                     n_pieces;
	struct cofl_definition   **at;	/* those that have a place, by address;
					 * then by piece */
	size_t                     n_at;
	struct cofl_definition   **special;	/* ifuncs and what is discarded,
						 * by name */
	size_t                     n_special;
	struct cofl_definition   **named;	/* those with a final name, by
						 * that */
	size_t                     n_named;
};

/* Read an executable's pieces. `records`: its section of bitcode. False: `why`
 * has the reason. */
bool cofl_definitions_open(struct cofl_definitions *all, const char *bytes,
			   size_t n_bytes, const char *records,
			   size_t n_records, char *why, size_t why_bytes);
void cofl_definitions_close(struct cofl_definitions *all);

/* Find out which definition each name means. What follows needs it. */
void cofl_definitions_choose(struct cofl_definitions *all,
			     const struct cofl_elf_symbols *symbols);

/* Does a piece define something there, maybe for itself alone? */
bool cofl_definitions_has(const struct cofl_definitions *all,
			  uint64_t address);

/* The definition at an address, one called `name` if there is one; NULL: there
 * is none. `tls`: the address is an offset among thread-local variables. */
struct cofl_definition *
cofl_definitions_at(const struct cofl_definitions *all, uint64_t address,
		    bool tls, const char *name);

/* The last definition that begins before an address; NULL: there is none. */
struct cofl_definition *
cofl_definitions_before(const struct cofl_definitions *all, uint64_t address);

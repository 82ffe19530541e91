/*
 * resolution.c - see resolution.h
 */
#include "resolve/resolution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/final_names.h"
#include "resolve/references.h"
#include "resolve/wrapped.h"
#include "support/xcalloc.h"

struct resolving {
	struct cofl_linked      linked;
	struct cofl_resolution *out;
	char                   *why;
	size_t                  why_bytes;
};

static bool refuse(struct resolving *r, const char *before, const char *name,
		   const char *after)
{
	snprintf(r->why, r->why_bytes, "%s%.300s%s", before, name, after);
	return false;
}

/* -- Names ----------------------------------------------------------------- */

static bool is_defined(const struct cofl_definition *d)
{
	return d->flags & COFL_LINKAGE_DEFINED;
}

/* It keeps its name. */
static bool decide_foreign(struct resolving *r, const struct cofl_definition *d,
			   struct cofl_decision *out, bool *decided)
{
	if (cofl_final_names_has(&r->linked.definitions, d->name))
		return refuse(r, "", d->name, " is in code without bitcode");
	*decided = is_defined(d);
	*out = (struct cofl_decision){ d->name, COFL_DECISION_BIND, d->name,
				       0 };
	return true;
}

/* False: refused. *decided: *out is to be kept. */
static bool decide(struct resolving *r, const struct cofl_definition *d,
		   struct cofl_decision *out, bool *decided)
{
	*decided = false;
	if (d->flags & COFL_LINKAGE_LOCAL) {
		/* One in a section with bounds may be discarded. */
		*decided = d->own == 0 && d->flags & COFL_LINKAGE_SECTION;
		*out = (struct cofl_decision){ d->name, COFL_DECISION_DROP,
					       NULL, 0 };
		return true;
	}
	if (d->flags & COFL_LINKAGE_IFUNC && is_defined(d))
		return true;
	if (d->split) {
		*decided = true;
		if (cofl_references_decide(&r->linked, d, out) !=
			    COFL_REFERENCE_DECIDED ||
		    out->kind != COFL_DECISION_BIND ||
		    strcmp(d->final, d->name) != 0)
			return refuse(r, "", d->name, " means two things");
		out->kind = COFL_DECISION_SPLIT;
		return true;
	}
	if (d->is == d || (d->is != NULL && d->flags & COFL_LINKAGE_COMMON)) {
		*decided = strcmp(d->name, d->is->final) != 0;
		*out = (struct cofl_decision){ d->name, COFL_DECISION_RENAME,
					       d->is->final, 0 };
		return true;
	}
	if (d->is != NULL) {
		*decided = true;
		*out = (struct cofl_decision){ d->name, COFL_DECISION_BIND,
					       d->is->final, 0 };
		return true;
	}
	if (d->discarded || (is_defined(d) && d->own == 0 &&
			     d->resolved == 0)) {
		bool drop = d->flags & COFL_LINKAGE_SECTION ||
			    cofl_final_names_special(&r->linked.definitions,
						     d->name) == NULL;

		*decided = !d->discarded || drop;
		*out = (struct cofl_decision){
			d->name, drop ? COFL_DECISION_DROP :
					COFL_DECISION_BIND, d->name, 0 };
		return true;
	}
	switch (cofl_references_decide(&r->linked, d, out)) {
	case COFL_REFERENCE_STAYS:
		/* A definition that is not the one of its name. */
		*decided = is_defined(d);
		*out = (struct cofl_decision){ d->name, COFL_DECISION_BIND,
					       d->name, 0 };
		return true;
	case COFL_REFERENCE_DECIDED:
		*decided = true;
		return true;
	case COFL_REFERENCE_FOREIGN:
		break;
	}
	return decide_foreign(r, d, out, decided);
}

/* Module-level assembly names what is local to its piece. */
static bool is_local_in(const struct cofl_piece_decisions *piece,
			const struct cofl_definition *d)
{
	if (!(d->flags & COFL_LINKAGE_ASSEMBLY))
		return false;
	for (size_t i = 0; i < piece->n_locals; i++)
		if (strcmp(piece->local[i].name, d->name) == 0)
			return true;
	return false;
}

/* The code names what its file's assembly has for itself. */
static bool is_own_label(const struct cofl_piece_decisions *piece,
			 const struct cofl_definition *d)
{
	if (is_defined(d) || d->flags & COFL_LINKAGE_ASSEMBLY ||
	    d->resolved == 0)
		return false;
	for (size_t i = 0; i < piece->n_locals; i++)
		if (piece->local[i].flags & COFL_LINKAGE_ASSEMBLY &&
		    strcmp(piece->local[i].name, d->name) == 0)
			return true;
	return false;
}

static bool decide_in(struct resolving *r,
		      const struct cofl_piece_decisions *piece,
		      const struct cofl_definition *d,
		      struct cofl_decision *out, bool *decided)
{
	/* Another piece may have the name for something else. */
	if (is_own_label(piece, d)) {
		*decided = true;
		*out = (struct cofl_decision){
			d->name, COFL_DECISION_BIND,
			cofl_xcalloc_printf("%s" COFL_PLACES_LABEL "%zu",
					    d->name,
					    (size_t)(piece - r->out->piece)),
			0 };
		return true;
	}
	if (is_defined(d) || !is_local_in(piece, d))
		return decide(r, d, out, decided);
	*decided = false;
	return true;
}

/* The name stays in the joined bitcode, and its piece does not define it. */
static void note_place(struct resolving *r,
		       const struct cofl_piece_decisions *piece,
		       const struct cofl_definition *d,
		       const struct cofl_decision *decision)
{
	const char *joined = d->name;

	if (d->flags & COFL_LINKAGE_LOCAL || d->is != NULL ||
	    is_local_in(piece, d))
		return;
	if (decision != NULL && decision->kind == COFL_DECISION_BIND)
		joined = decision->to;
	else if (decision != NULL && decision->kind != COFL_DECISION_MISSING)
		return;
	cofl_places_refer(&r->out->places, &r->linked.symbols, d, joined);
}

static void take_locals(struct cofl_piece_decisions *to,
			struct cofl_bitcode_piece *from)
{
	to->local = from->local;
	to->n_locals = from->n_locals;
	from->local = NULL;
}

static bool decide_all(struct resolving *r)
{
	struct cofl_definitions *all = &r->linked.definitions;

	cofl_places_define(&r->out->places, all);
	r->out->n_pieces = all->n_pieces;
	r->out->piece = cofl_xcalloc(all->n_pieces, sizeof(*r->out->piece));
	for (size_t p = 0; p < all->n_pieces; p++) {
		struct cofl_piece_decisions *to = &r->out->piece[p];

		to->bytes = all->piece[p].bytes;
		to->n_bytes = all->piece[p].n_bytes;
		take_locals(to, &all->piece[p]);
		to->decision = cofl_xcalloc(all->piece[p].n_names,
					    sizeof(*to->decision));
		for (size_t i = 0; i < all->piece[p].n_names; i++) {
			bool decided;

			if (!decide_in(r, to, &all->piece[p].name[i],
				       &to->decision[to->n], &decided))
				return false;
			note_place(r, to, &all->piece[p].name[i],
				   decided ? &to->decision[to->n] : NULL);
			to->n += decided;
		}
	}
	cofl_places_sort(&r->out->places);
	return true;
}

/* -- All ------------------------------------------------------------------- */

static bool resolve(struct resolving *r, const char *records, size_t n_records)
{
	struct cofl_linked *l = &r->linked;

	if (!cofl_elf_symbols_open(&l->symbols, l->bytes, l->n_bytes))
		return refuse(r, "it was stripped when it was linked", "", "");
	if (!cofl_definitions_open(&l->definitions, l->bytes, l->n_bytes,
				   records, n_records, r->why, r->why_bytes) ||
	    !cofl_wrapped_apply(&l->definitions, &l->symbols, r->why,
				r->why_bytes))
		return false;
	cofl_definitions_choose(&l->definitions, &l->symbols);
	if (!cofl_final_names(&l->definitions, &l->symbols, r->why,
			      r->why_bytes))
		return false;
	return decide_all(r);
}

bool cofl_resolution_open(struct cofl_resolution *resolution, const char *bytes,
			  size_t n_bytes, const char *records, size_t n_records,
			  char *why, size_t why_bytes)
{
	struct resolving r = {
		.linked.bytes = bytes, .linked.n_bytes = n_bytes,
		.out = resolution, .why = why, .why_bytes = why_bytes,
	};
	bool resolved;

	*resolution = (struct cofl_resolution){ .bytes = bytes,
						.n_bytes = n_bytes };
	resolved = resolve(&r, records, n_records);
	if (!resolved)
		cofl_resolution_close(resolution);
	cofl_definitions_close(&r.linked.definitions);
	cofl_elf_symbols_close(&r.linked.symbols);
	return resolved;
}

void cofl_resolution_close(struct cofl_resolution *resolution)
{
	for (size_t p = 0; p < resolution->n_pieces; p++) {
		free(resolution->piece[p].decision);
		free(resolution->piece[p].local);
	}
	free(resolution->piece);
	free(resolution->places.place);
	*resolution = (struct cofl_resolution){ 0 };
}

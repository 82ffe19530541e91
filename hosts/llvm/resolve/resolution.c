/*
 * resolution.c - see resolution.h
 */
#include "resolve/resolution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/exports.h"
#include "resolve/final_names.h"
#include "resolve/known_names.h"
#include "resolve/lacks.h"
#include "resolve/references.h"
#include "resolve/starts.h"
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

/* The executable's own code goes without. */
static bool lack(struct resolving *r, const char *before, const char *name,
		 const char *after)
{
	cofl_lacks_note(r->out, before, name, after);
	return true;
}

/* -- Names ----------------------------------------------------------------- */

static bool is_defined(const struct cofl_definition *d)
{
	return d->flags & COFL_LINKAGE_DEFINED;
}

/* Module-level assembly is one text, which is not rewritten. */
static bool check_assembly(struct resolving *r, const struct cofl_definition *d,
			   bool decided)
{
	if (!(d->flags & COFL_LINKAGE_ASSEMBLY) || !decided)
		return true;
	return lack(r, "the linker replaced ", d->name,
		    ", which its assembly names");
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
	return lack(r, "", d->name, " is in code without bitcode");
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
		return check_assembly(r, d, true);
	}
	if (d->is == d || (d->is != NULL && d->flags & COFL_LINKAGE_COMMON)) {
		*decided = strcmp(d->name, d->is->final) != 0;
		*out = (struct cofl_decision){ d->name, COFL_DECISION_RENAME,
					       d->is->final, 0 };
		return check_assembly(r, d, *decided);
	}
	if (d->is != NULL) {
		*decided = true;
		*out = (struct cofl_decision){ d->name, COFL_DECISION_BIND,
					       d->is->final, 0 };
		return check_assembly(r, d, true);
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
		return check_assembly(r, d, *decided);
	case COFL_REFERENCE_DECIDED:
		*decided = true;
		return (d->flags & COFL_LINKAGE_ASSEMBLY &&
			out->kind == COFL_DECISION_MISSING) ||
		       check_assembly(r, d, true);
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

static bool decide_in(struct resolving *r,
		      const struct cofl_piece_decisions *piece,
		      const struct cofl_definition *d,
		      struct cofl_decision *out, bool *decided)
{
	if (is_defined(d) || !is_local_in(piece, d))
		return decide(r, d, out, decided);
	*decided = false;
	return lack(r, "", d->name,
		    ", which its assembly names, is local to an object");
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

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The assembly of all pieces becomes one text: no name may be in it twice. */
static void check_assembly_names(struct resolving *r)
{
	const struct cofl_definitions *all = &r->linked.definitions;
	const char **list;
	size_t n = 0;

	for (size_t p = 0; p < all->n_pieces; p++)
		n += all->piece[p].n_names;
	list = cofl_xcalloc(n, sizeof(*list));
	n = 0;
	for (size_t p = 0; p < all->n_pieces; p++)
		for (size_t i = 0; i < all->piece[p].n_names; i++)
			if (all->piece[p].name[i].flags &
				    COFL_LINKAGE_ASSEMBLY &&
			    is_defined(&all->piece[p].name[i]))
				list[n++] = all->piece[p].name[i].name;
	qsort(list, n, sizeof(*list), by_text);
	for (size_t i = 1; i < n; i++)
		if (strcmp(list[i - 1], list[i]) == 0)
			lack(r, "assembly of two objects has ", list[i], "");
	free(list);
}

/* -- Beginning and end ----------------------------------------------------- */

/* Functions of crtbegin.o, which have nothing to do here. */
static bool is_compilers(const char *name)
{
	return strcmp(name, "frame_dummy") == 0 ||
	       strcmp(name, "__do_global_dtors_aux") == 0 ||
	       strcmp(name, "register_tm_clones") == 0 ||
	       strcmp(name, "deregister_tm_clones") == 0;
}

static bool check_start(void *arg, uint64_t address)
{
	struct resolving *r = arg;
	const struct cofl_elf_symbol *s;
	size_t n;

	if (cofl_definitions_has(&r->linked.definitions, address))
		return true;
	s = cofl_elf_symbols_at(&r->linked.symbols, address, &n);
	for (size_t i = 0; i < n; i++) {
		if (is_compilers(s[i].name) || cofl_known_name(s[i].name))
			return true;
		if (strcmp(s[i].name, "set_fast_math") == 0) {
			r->out->fast_math = true;
			return true;
		}
	}
	return lack(r, "a function that runs before or after main() is in "
		    "code without bitcode", n > 0 ? ": " : "",
		    n > 0 ? s->name : "");
}

/* Is the address that of the function of the C library's start files? */
static bool is_at(const struct resolving *r, uint64_t address, const char *name)
{
	const struct cofl_elf_symbol *s;
	size_t n;

	s = cofl_elf_symbols_at(&r->linked.symbols, address, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(s[i].name, name) == 0)
			return true;
	return address == 0;
}

static void check_starts(struct resolving *r)
{
	const char *bytes = r->linked.bytes;
	size_t n = r->linked.n_bytes;

	if (!is_at(r, cofl_starts_entry(bytes), "_start"))
		lack(r, "it does not begin in _start", "", "");
	if (!is_at(r, cofl_starts_dynamic(bytes, n, DT_INIT), "_init") ||
	    !is_at(r, cofl_starts_dynamic(bytes, n, DT_FINI), "_fini"))
		lack(r, "it was linked with -init or -fini", "", "");
	cofl_starts_each(bytes, n, check_start, r);
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
	check_starts(r);
	cofl_exports_find(r->out, l);
	if (!decide_all(r))
		return false;
	check_assembly_names(r);
	return true;
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
	free(resolution->other);
	*resolution = (struct cofl_resolution){ 0 };
}

bool cofl_resolution_is_plain(const struct cofl_resolution *resolution)
{
	return resolution->n_pieces == 1 && resolution->piece[0].n == 0 &&
	       resolution->n_others == 0 && !resolution->fast_math;
}

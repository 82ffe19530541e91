/*
 * resolution.c - see resolution.h
 */
#include "resolve/resolution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/final_names.h"
#include "resolve/known_names.h"
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
	return refuse(r, "the linker replaced ", d->name,
		      ", which its assembly names");
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
	return refuse(r, "", d->name, " is in code without bitcode");
}

/* The name stays in the joined bitcode, and its piece does not define it. */
static void note_place(struct resolving *r, const struct cofl_definition *d,
		       const struct cofl_decision *decision)
{
	const char *joined = d->name;

	if (d->flags & COFL_LINKAGE_LOCAL || d->is != NULL)
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

			if (!decide(r, &all->piece[p].name[i],
				    &to->decision[to->n], &decided))
				return false;
			note_place(r, &all->piece[p].name[i],
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
static bool check_assembly_names(struct resolving *r)
{
	const struct cofl_definitions *all = &r->linked.definitions;
	const char **list;
	bool different = true;
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
	for (size_t i = 1; i < n && different; i++) {
		different = strcmp(list[i - 1], list[i]) != 0;
		if (!different)
			refuse(r, "assembly of two objects has ", list[i], "");
	}
	free(list);
	return different;
}

/* -- Other names ----------------------------------------------------------- */

/* `s` is defined in the executable. Does the joined bitcode define it? */
static bool find_other(struct resolving *r, const struct cofl_elf_symbol *s)
{
	struct cofl_definition *d =
		cofl_definitions_at(&r->linked.definitions, s->value,
				    s->type == STT_TLS, s->name);
	char *name;

	if (d == NULL || d->final == NULL)
		return false;
	if (cofl_elf_symbols_same(d->final, s->name))
		return true;
	name = strndup(s->name, strcspn(s->name, "@"));
	r->out->other[r->out->n_others++] =
		(struct cofl_other_name){ name, d->final };
	return true;
}

/* The linker may have made it local to the executable. */
static bool find_hidden_main(struct resolving *r)
{
	const struct cofl_definitions *all = &r->linked.definitions;

	for (size_t i = 0; i < all->n_at; i++) {
		const struct cofl_definition *d = all->at[i];

		if (d->final == NULL || strcmp(d->name, "main") != 0)
			continue;
		if (strcmp(d->final, "main") != 0)
			r->out->other[r->out->n_others++] =
				(struct cofl_other_name){ "main", d->final };
		return true;
	}
	return false;
}

/* What libraries can find must be in the bitcode, and main() too. */
static bool check_exports(struct resolving *r)
{
	const struct cofl_elf_symbols *symbols = &r->linked.symbols;
	const struct cofl_elf_symbol *main_is =
		cofl_elf_symbols_named(symbols, "main");

	r->out->other = cofl_xcalloc(symbols->n_dynamic + 1,
				     sizeof(*r->out->other));
	for (size_t i = 0; i < symbols->n_dynamic; i++) {
		const struct cofl_elf_symbol *s = &symbols->dynamic[i];
		size_t n;

		if (s->section == SHN_UNDEF || s->section >= SHN_LORESERVE ||
		    s->bind == STB_LOCAL || s->copied ||
		    find_other(r, s) ||
		    cofl_final_names_special(&r->linked.definitions,
					     s->name) != NULL ||
		    cofl_known_name_of_linker(s->name))
			continue;
		/* Another name of a variable copied from a library. */
		for (n = 0; n < symbols->n_dynamic; n++)
			if (symbols->dynamic[n].copied &&
			    symbols->dynamic[n].value == s->value)
				break;
		if (n == symbols->n_dynamic)
			return refuse(r, "", s->name,
				      ", which libraries may refer to, "
				      "is in code without bitcode");
	}
	if (cofl_elf_symbols_dynamic(symbols, "main") != NULL &&
	    cofl_elf_symbols_dynamic(symbols, "main")->section != SHN_UNDEF)
		return true;
	if (main_is != NULL ? main_is->section != SHN_UNDEF &&
			      find_other(r, main_is) : find_hidden_main(r))
		return true;
	return refuse(r, "", "main", " is in code without bitcode");
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
	return refuse(r, "a function that runs before or after main() is in "
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

static bool check_starts(struct resolving *r)
{
	const char *bytes = r->linked.bytes;
	size_t n = r->linked.n_bytes;

	if (!is_at(r, cofl_starts_entry(bytes), "_start"))
		return refuse(r, "it does not begin in _start", "", "");
	if (!is_at(r, cofl_starts_dynamic(bytes, n, DT_INIT), "_init") ||
	    !is_at(r, cofl_starts_dynamic(bytes, n, DT_FINI), "_fini"))
		return refuse(r, "it was linked with -init or -fini", "", "");
	return cofl_starts_each(bytes, n, check_start, r);
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
	return cofl_final_names(&l->definitions, &l->symbols, r->why,
				r->why_bytes) &&
	       check_starts(r) && check_exports(r) && decide_all(r) &&
	       check_assembly_names(r);
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

/*
 * exports.c - see exports.h
 */
#include "resolve/exports.h"

#include <string.h>

#include "resolve/final_names.h"
#include "resolve/known_names.h"
#include "resolve/lacks.h"
#include "support/xcalloc.h"

/* `s` is defined in the executable. Does the joined bitcode define it? */
static bool find_other(struct cofl_resolution *r, const struct cofl_linked *l,
		       const struct cofl_elf_symbol *s)
{
	struct cofl_definition *d =
		cofl_definitions_at(&l->definitions, s->value,
				    s->type == STT_TLS, s->name);
	char *name;

	if (d == NULL || d->final == NULL)
		return false;
	if (cofl_elf_symbols_same(d->final, s->name))
		return true;
	name = cofl_xcalloc_ndup(s->name, strcspn(s->name, "@"));
	r->other[r->n_others++] = (struct cofl_other_name){ name, d->final };
	return true;
}

/* The linker may have made it local to the executable. */
static bool find_hidden_main(struct cofl_resolution *r,
			     const struct cofl_definitions *all)
{
	for (size_t i = 0; i < all->n_at; i++) {
		const struct cofl_definition *d = all->at[i];

		if (d->final == NULL || strcmp(d->name, "main") != 0)
			continue;
		if (strcmp(d->final, "main") != 0)
			r->other[r->n_others++] =
				(struct cofl_other_name){ "main", d->final };
		return true;
	}
	return false;
}

/* Is it another name of a variable copied from a library? */
static bool is_copied(const struct cofl_elf_symbols *symbols,
		      const struct cofl_elf_symbol *s)
{
	for (size_t n = 0; n < symbols->n_dynamic; n++)
		if (symbols->dynamic[n].copied &&
		    symbols->dynamic[n].value == s->value)
			return true;
	return false;
}

static void find_main(struct cofl_resolution *r, const struct cofl_linked *l)
{
	const struct cofl_elf_symbol *s =
		cofl_elf_symbols_dynamic(&l->symbols, "main");
	bool found;

	if (s != NULL && s->section != SHN_UNDEF)
		return;
	s = cofl_elf_symbols_named(&l->symbols, "main");
	found = s != NULL ? s->section != SHN_UNDEF && find_other(r, l, s) :
			    find_hidden_main(r, &l->definitions);
	if (!found)
		cofl_lacks_note(r, "", "main", " is in code without bitcode");
}

void cofl_exports_find(struct cofl_resolution *r, const struct cofl_linked *l)
{
	const struct cofl_elf_symbols *symbols = &l->symbols;

	r->other = cofl_xcalloc(symbols->n_dynamic + 1, sizeof(*r->other));
	for (size_t i = 0; i < symbols->n_dynamic; i++) {
		const struct cofl_elf_symbol *s = &symbols->dynamic[i];

		if (s->section == SHN_UNDEF || s->section >= SHN_LORESERVE ||
		    s->bind == STB_LOCAL || s->copied || find_other(r, l, s) ||
		    cofl_final_names_special(&l->definitions, s->name) !=
			    NULL ||
		    cofl_known_name_of_linker(s->name) ||
		    is_copied(symbols, s))
			continue;
		cofl_lacks_note(r, "", s->name, ", which libraries may refer "
				"to, is in code without bitcode");
	}
	find_main(r, l);
}

/*
 * references.c - see references.h
 *
 * An address leads, in this order, to a definition in a piece, to the middle of
 * one, to a function or variable of a library, to a number, to what the host
 * itself defines, or to code without bitcode.
 */
#include "resolve/references.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/final_names.h"
#include "resolve/plt.h"
#include "support/section.h"
#include "support/xcalloc.h"

static enum cofl_reference bind(const struct cofl_definition *d,
				const char *to, struct cofl_decision *out)
{
	if (strcmp(d->name, to) == 0)
		return COFL_REFERENCE_STAYS;
	*out = (struct cofl_decision){ d->name, COFL_DECISION_BIND, to, 0 };
	return COFL_REFERENCE_DECIDED;
}

static enum cofl_reference value(const struct cofl_definition *d, uint64_t is,
				 struct cofl_decision *out)
{
	*out = (struct cofl_decision){ d->name, COFL_DECISION_VALUE, NULL, is };
	return COFL_REFERENCE_DECIDED;
}

/* The name without its version, if that is what a library has it as. */
static bool is_in_library(const struct cofl_linked *l, const char *name)
{
	const struct cofl_elf_symbol *s =
		cofl_elf_symbols_dynamic(&l->symbols, name);

	return s != NULL && (s->section == SHN_UNDEF || s->copied);
}

static enum cofl_reference by_library(const struct cofl_definition *d,
				      const char *name,
				      struct cofl_decision *out)
{
	/* With the version, which dlsym(3) may not choose. */
	return bind(d, d->version != NULL &&
		       cofl_elf_symbols_same(d->version, name) ? d->version :
		       name, out);
}

/* It leads nowhere in the executable. */
static enum cofl_reference nowhere(const struct cofl_linked *l,
				   const struct cofl_definition *d,
				   struct cofl_decision *out)
{
	const struct cofl_elf_symbol *s =
		cofl_elf_symbols_named(&l->symbols, d->name);
	const char *name = d->version != NULL ? d->version : d->name;
	char *wrap;

	if (s != NULL && s->section == SHN_ABS && s->value == 0)
		return value(d, 0, out);
	if (s != NULL && s->section != SHN_UNDEF && s->value == 0)
		return COFL_REFERENCE_FOREIGN;	/* where the file begins */
	if (is_in_library(l, name))
		return by_library(d, name, out);
	if (cofl_final_names_special(&l->definitions, d->name) != NULL)
		return COFL_REFERENCE_STAYS;
	if (s != NULL && s->type == STT_GNU_IFUNC)
		return COFL_REFERENCE_FOREIGN;
	/* --wrap=NAME of a library's function: some linkers do not say. */
	if (strncmp(name, "__real_", 7) == 0 && is_in_library(l, name + 7))
		return by_library(d, name + 7, out);
	wrap = cofl_xcalloc_printf("__wrap_%s", name);
	if (is_in_library(l, wrap))
		return by_library(d, wrap, out);
	free(wrap);
	if (d->flags & COFL_LINKAGE_WEAK)
		return value(d, 0, out);
	*out = (struct cofl_decision){ d->name, COFL_DECISION_MISSING, NULL,
				       0 };
	return COFL_REFERENCE_DECIDED;
}

/* In the middle of a variable. */
static enum cofl_reference inside(const struct cofl_linked *l,
				  const struct cofl_definition *d,
				  struct cofl_decision *out)
{
	const struct cofl_definition *e =
		cofl_definitions_before(&l->definitions, d->resolved);
	const struct cofl_elf_symbol *s;

	if (e == NULL || e->final == NULL ||
	    e->flags & COFL_LINKAGE_FUNCTION)
		return COFL_REFERENCE_FOREIGN;
	s = cofl_elf_symbols_global(&l->symbols, e->final, e->own);
	if (s == NULL || d->resolved - e->own >= s->size)
		return COFL_REFERENCE_FOREIGN;
	*out = (struct cofl_decision){ d->name, COFL_DECISION_OFFSET, e->final,
				       d->resolved - e->own };
	return COFL_REFERENCE_DECIDED;
}

static bool is_in_section(const struct cofl_linked *l, uint64_t number,
			  uint64_t without)
{
	const Elf64_Ehdr *h = (const void *)l->bytes;
	Elf64_Shdr s;

	for (uint32_t i = 1; i < h->e_shnum; i++)
		if (cofl_section_header(l->bytes, l->n_bytes, i, &s) &&
		    s.sh_flags & SHF_ALLOC && !(s.sh_flags & without) &&
		    number >= s.sh_addr && number - s.sh_addr <= s.sh_size)
			return true;
	return false;
}

/* In an executable at a fixed address, linkers make numbers of sums of
 * addresses. */
static bool is_address(const struct cofl_linked *l, uint64_t number)
{
	const Elf64_Ehdr *h = (const void *)l->bytes;

	return h->e_type == ET_EXEC && is_in_section(l, number, 0);
}

/*
 * GNU ld does so in one that may lie anywhere, too (--defsym=Y=X+4): the code
 * that it linked has the address, and the symbol does not show that it is one.
 * The sizes of files that became objects are numbers.
 */
static bool may_be_address(const struct cofl_linked *l, const char *name,
			   uint64_t number)
{
	const Elf64_Ehdr *h = (const void *)l->bytes;
	size_t n = strlen(name);

	return h->e_type == ET_DYN &&
	       is_in_section(l, number, SHF_EXECINSTR) &&
	       !(strncmp(name, "_binary_", 8) == 0 && n > 5 &&
		 strcmp(name + n - 5, "_size") == 0);
}

/* Does the linker define it, as where a section begins or ends? */
static bool is_bound(const char *name)
{
	static const char *const names[] = {
		"etext", "_etext", "__etext", "edata", "_edata", "end", "_end",
		"data_start", "__data_start", "__bss_start",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "__start_", 8) == 0 ||
	       strncmp(name, "__stop_", 7) == 0;
}

static const char *copied_from_library(const struct cofl_linked *l,
				       const struct cofl_definition *d)
{
	const struct cofl_elf_symbol *other = NULL;

	for (size_t i = 0; i < l->symbols.n_dynamic; i++) {
		const struct cofl_elf_symbol *s = &l->symbols.dynamic[i];

		/* Other names of a copied variable are not marked. */
		if (s->section == SHN_UNDEF || s->value != d->resolved)
			continue;
		if (cofl_elf_symbols_same(s->name, d->name))
			other = s->copied || other == NULL ? s : other;
		else if (s->copied)
			other = other != NULL ? other : s;
	}
	for (size_t i = 0; other != NULL && i < l->symbols.n_dynamic; i++)
		if (l->symbols.dynamic[i].copied &&
		    l->symbols.dynamic[i].value == d->resolved)
			return other->name;
	return NULL;
}

enum cofl_reference cofl_references_decide(const struct cofl_linked *l,
					   const struct cofl_definition *d,
					   struct cofl_decision *out)
{
	bool tls = d->flags & COFL_LINKAGE_TLS;
	const struct cofl_definition *to =
		cofl_definitions_at(&l->definitions, d->resolved, tls, d->name);
	const struct cofl_elf_symbol *s;
	const char *name;

	/* Before addresses: a section begins where its first variable does. */
	if (is_bound(d->name) &&
	    (to == NULL || strcmp(to->name, d->name) != 0) &&
	    !is_in_library(l, d->name))
		return COFL_REFERENCE_STAYS;
	if (to != NULL && (d->resolved != 0 ||
			   strcmp(to->name, d->name) == 0)) {
		if (to->final == NULL || to->is != to)
			return COFL_REFERENCE_FOREIGN;
		return bind(d, to->final, out);
	}
	if (d->resolved == 0)
		return nowhere(l, d, out);
	if (tls)
		return COFL_REFERENCE_FOREIGN;
	name = cofl_plt_name(l->bytes, l->n_bytes, d->resolved);
	if (name == NULL)
		name = copied_from_library(l, d);
	if (name != NULL)
		return by_library(d, name, out);
	s = cofl_elf_symbols_named(&l->symbols, d->name);
	if (s != NULL && s->section == SHN_ABS && s->value == d->resolved &&
	    !is_address(l, d->resolved))
		return may_be_address(l, d->name, d->resolved) ?
		       COFL_REFERENCE_FOREIGN : value(d, d->resolved, out);
	if (cofl_final_names_special(&l->definitions, d->name) != NULL)
		return COFL_REFERENCE_STAYS;
	return inside(l, d, out);
}

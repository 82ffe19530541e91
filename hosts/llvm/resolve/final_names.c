/*
 * final_names.c - see final_names.h
 */
#include "resolve/final_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/xcalloc.h"

static const char *plain(const char *name)
{
	return cofl_xcalloc_ndup(name, strcspn(name, "@"));
}

static const char *unique(const struct cofl_definition *d)
{
	return cofl_xcalloc_printf("%s.cof%u", d->name, d->piece);
}

/* Does another definition at the same place have the name? */
static bool is_others(const struct cofl_definitions *all,
		      const struct cofl_definition *d, const char *name)
{
	const struct cofl_definition *e =
		cofl_definitions_at(all, d->own, d->flags & COFL_LINKAGE_TLS,
				    name);

	return e != NULL && e != d && cofl_elf_symbols_same(e->name, name);
}

static const char *name_of(const struct cofl_definitions *all,
			   const struct cofl_definition *d,
			   const struct cofl_elf_symbols *symbols)
{
	const struct cofl_elf_symbol *s;
	bool tls = d->flags & COFL_LINKAGE_TLS;
	size_t n;

	if (d->flags & COFL_LINKAGE_ASSEMBLY ||
	    cofl_elf_symbols_global(symbols, d->name, d->own) != NULL)
		return d->name;
	s = cofl_elf_symbols_at(symbols, d->own, &n);
	for (size_t i = 0; i < n; i++)
		if (s[i].bind != STB_LOCAL && (s[i].type == STT_TLS) == tls &&
		    !is_others(all, d, s[i].name))
			return plain(s[i].name);
	return NULL;
}

static int by_final(const void *a, const void *b)
{
	const struct cofl_definition *x = *(void *const *)a;
	const struct cofl_definition *y = *(void *const *)b;
	int order = strcmp(x->final, y->final);

	return order != 0 ? order : (x > y) - (x < y);
}

static int to_final(const void *name, const void *at)
{
	return strcmp(name, (*(struct cofl_definition *const *)at)->final);
}

/* By name. The caller frees the list. */
static struct cofl_definition **list_named(struct cofl_definitions *all,
					   size_t *n)
{
	struct cofl_definition **list = cofl_xcalloc(all->n_at, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < all->n_at; i++)
		if (all->at[i]->final != NULL)
			list[(*n)++] = all->at[i];
	qsort(list, *n, sizeof(*list), by_final);
	return list;
}

static bool is_taken(struct cofl_definition *const *list, size_t n,
		     const char *name)
{
	return bsearch(name, list, n, sizeof(*list), to_final) != NULL;
}

static bool is_discarded(const struct cofl_definition *d,
			 struct cofl_definition *const *list, size_t n)
{
	return d->flags & COFL_LINKAGE_DEFINED &&
	       !(d->flags & (COFL_LINKAGE_IFUNC | COFL_LINKAGE_LOCAL)) &&
	       d->own == 0 && d->resolved == 0 && d->is == NULL &&
	       !is_taken(list, n, d->name);
}

static int by_name(const void *a, const void *b)
{
	const struct cofl_definition *x = *(void *const *)a;
	const struct cofl_definition *y = *(void *const *)b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : (x->piece > y->piece) -
				    (x->piece < y->piece);
}

/*
 * What the linker discarded stays, since other code that it discarded refers to
 * it. Of several with one name the first does.
 */
static void list_special(struct cofl_definitions *all,
			 struct cofl_definition *const *list, size_t n)
{
	size_t room = 0;

	for (size_t p = 0; p < all->n_pieces; p++)
		room += all->piece[p].n_names;
	all->special = cofl_xcalloc(room, sizeof(*all->special));
	for (size_t p = 0; p < all->n_pieces; p++) {
		for (size_t i = 0; i < all->piece[p].n_names; i++) {
			struct cofl_definition *d = &all->piece[p].name[i];

			d->discarded = is_discarded(d, list, n);
			if (d->discarded || d->flags & COFL_LINKAGE_IFUNC)
				all->special[all->n_special++] = d;
		}
	}
	qsort(all->special, all->n_special, sizeof(*all->special), by_name);
	for (size_t i = 1; i < all->n_special; i++)
		if (strcmp(all->special[i]->name,
			   all->special[i - 1]->name) == 0)
			all->special[i]->discarded = false;
}

static int to_name(const void *name, const void *at)
{
	return strcmp(name, (*(struct cofl_definition *const *)at)->name);
}

const struct cofl_definition *
cofl_final_names_special(const struct cofl_definitions *all, const char *name)
{
	struct cofl_definition *const *found =
		bsearch(name, all->special, all->n_special,
			sizeof(*all->special), to_name);

	return found != NULL ? *found : NULL;
}

bool cofl_final_names_has(const struct cofl_definitions *all, const char *name)
{
	return is_taken(all->named, all->n_named, name);
}

/* What the linker made local to the executable keeps its name if nothing else
 * has it: libraries do not find it in any case. */
static void name_hidden(struct cofl_definitions *all,
			const struct cofl_elf_symbols *symbols)
{
	struct cofl_definition **list, **hidden;
	size_t n, n_hidden = 0;

	list = list_named(all, &n);
	hidden = cofl_xcalloc(all->n_at, sizeof(*hidden));
	for (size_t i = 0; i < all->n_at; i++) {
		struct cofl_definition *d = all->at[i];

		if (d->is != d || d->flags & COFL_LINKAGE_LOCAL ||
		    d->final != NULL)
			continue;
		hidden[n_hidden++] = d;
		d->final = is_taken(list, n, d->name) ||
				   cofl_elf_symbols_dynamic(symbols, d->name) ?
				   unique(d) : d->name;
	}
	qsort(hidden, n_hidden, sizeof(*hidden), by_final);
	for (size_t i = n_hidden; i-- > 1;)
		if (strcmp(hidden[i]->final, hidden[i - 1]->final) == 0)
			hidden[i]->final = unique(hidden[i]);
	free(hidden);
	free(list);
}

bool cofl_final_names(struct cofl_definitions *all,
		      const struct cofl_elf_symbols *symbols, char *why,
		      size_t why_bytes)
{
	struct cofl_definition **list;
	bool different = true;
	size_t n;

	for (size_t i = 0; i < all->n_at; i++) {
		struct cofl_definition *d = all->at[i];

		if (d->is == d && !(d->flags & COFL_LINKAGE_LOCAL))
			d->final = name_of(all, d, symbols);
	}
	name_hidden(all, symbols);
	list = list_named(all, &n);
	for (size_t i = 1; i < n && different; i++) {
		different = strcmp(list[i - 1]->final, list[i]->final) != 0;
		if (!different)
			snprintf(why, why_bytes,
				 "it has two definitions of %.300s",
				 list[i]->final);
	}
	list_special(all, list, n);
	all->named = list;
	all->n_named = n;
	return different;
}

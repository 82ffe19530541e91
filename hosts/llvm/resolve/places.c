/*
 * places.c - see places.h
 */
#include "resolve/places.h"

#include <stdlib.h>
#include <string.h>

#include "support/addresses.h"
#include "support/xcalloc.h"

static void enter(struct cofl_places *to, struct cofl_place place)
{
	if ((to->n & (to->n - 1)) == 0)
		to->place = cofl_xcalloc_grow(to->place,
					      to->n != 0 ? 2 * to->n : 1,
					      sizeof(*to->place));
	to->place[to->n++] = place;
}

static uint32_t flags_of(uint32_t linkage)
{
	return (linkage & COFL_LINKAGE_TLS ? COFL_ADDRESS_TLS : 0) |
	       (linkage & COFL_LINKAGE_PATCHABLE ? COFL_ADDRESS_PATCHABLE : 0);
}

void cofl_places_define(struct cofl_places *to,
			const struct cofl_definitions *all)
{
	for (size_t i = 0; i < all->n_at; i++) {
		const struct cofl_definition *d = all->at[i];

		if (d->final != NULL)
			enter(to, (struct cofl_place){
					  d->final, NULL, d->own,
					  flags_of(d->flags), true });
	}
}

/* The version in NAME@VERSION; else the one in .dynsym. */
static const char *version_of(const struct cofl_elf_symbol *s,
			      const char *name)
{
	const char *at = strrchr(name, '@');

	return at != NULL ? at + 1 : s->version;
}

/* Where the file begins, or its thread-local block. */
static bool is_at_zero(const struct cofl_elf_symbols *symbols,
		       const struct cofl_definition *d)
{
	const struct cofl_elf_symbol *s =
		cofl_elf_symbols_named(symbols, d->name);

	return s != NULL && s->value == 0 && s->section != SHN_UNDEF &&
	       s->section != SHN_ABS &&
	       (s->type == STT_TLS) == ((d->flags & COFL_LINKAGE_TLS) != 0);
}

/* Without bitcode. */
static bool is_ifunc(const struct cofl_elf_symbols *symbols,
		     const struct cofl_definition *d)
{
	const struct cofl_elf_symbol *s =
		cofl_elf_symbols_named(symbols, d->name);

	return s != NULL && s->type == STT_GNU_IFUNC;
}

void cofl_places_refer(struct cofl_places *to,
		       const struct cofl_elf_symbols *symbols,
		       const struct cofl_definition *d, const char *joined)
{
	struct cofl_place place = { joined, NULL, d->resolved,
				    flags_of(d->flags & COFL_LINKAGE_TLS),
				    false };
	const struct cofl_elf_symbol *s =
		cofl_elf_symbols_dynamic(symbols, joined);

	if (s != NULL && (s->section == SHN_UNDEF || s->copied)) {
		place.flags |= COFL_ADDRESS_LIBRARY;
		place.version = version_of(s, joined);
		/* .dynsym has the address of an entry that pointers hold. */
		if (s->section == SHN_UNDEF && s->value == 0 &&
		    d->resolved != 0 && !(d->flags & COFL_LINKAGE_TLS))
			place.flags |= COFL_ADDRESS_PLT;
		if (d->flags & COFL_LINKAGE_WEAK)
			place.flags |= COFL_ADDRESS_WEAK;
	} else if (d->resolved == 0 && !is_at_zero(symbols, d)) {
		/* Nothing has it, or an ifunc, which the bitcode tells. */
		if (d->flags & (COFL_LINKAGE_DEFINED | COFL_LINKAGE_TLS) ||
		    is_ifunc(symbols, d))
			return;
		place.flags = COFL_ADDRESS_ABSOLUTE | COFL_ADDRESS_WEAK;
	}
	enter(to, place);
}

/* Of one name, what defines it is first, then what has an address. */
static int order(const void *a, const void *b)
{
	const struct cofl_place *x = a, *y = b;
	int by_name = strcmp(x->name, y->name);
	bool x_weak = x->flags & COFL_ADDRESS_WEAK;
	bool y_weak = y->flags & COFL_ADDRESS_WEAK;

	if (by_name != 0)
		return by_name;
	if (x->defined != y->defined)
		return x->defined ? -1 : 1;
	if ((x->address == 0) != (y->address == 0))
		return x->address == 0 ? 1 : -1;
	return x_weak - y_weak;
}

void cofl_places_sort(struct cofl_places *places)
{
	size_t n = 0;

	if (places->n == 0)
		return;
	qsort(places->place, places->n, sizeof(*places->place), order);
	for (size_t i = 0; i < places->n; i++)
		if (n == 0 || strcmp(places->place[n - 1].name,
				     places->place[i].name) != 0)
			places->place[n++] = places->place[i];
	places->n = n;
}

static int to_name(const void *name, const void *place)
{
	return strcmp(name, ((const struct cofl_place *)place)->name);
}

const struct cofl_place *cofl_places_find(const struct cofl_places *places,
					  const char *name)
{
	return places->n == 0 ? NULL :
	       bsearch(name, places->place, places->n, sizeof(*places->place),
		       to_name);
}

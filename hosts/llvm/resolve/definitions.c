/*
 * definitions.c - see definitions.h
 */
#include "resolve/definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/record.h"
#include "support/section.h"
#include "support/xcalloc.h"

/* -- Reading --------------------------------------------------------------- */

/* One head with what follows it, whole. */
struct table {
	struct cofl_linkage head;
	const char         *entries, *names;
	size_t              n_names;	/* bytes */
	bool                taken;
};

static bool next_table(struct table *t, const char **at, size_t *n)
{
	uint64_t entries;

	while (*n > 0 && **at == '\0') {
		++*at;
		--*n;
	}
	if (*n < sizeof(t->head))
		return false;
	memcpy(&t->head, *at, sizeof(t->head));
	if (t->head.magic != COFL_LINKAGE_MAGIC || t->head.bytes > *n ||
	    t->head.bytes < sizeof(t->head) ||
	    t->head.n > (t->head.bytes - sizeof(t->head)) /
			sizeof(struct cofl_linkage_entry))
		return false;
	entries = t->head.n * sizeof(struct cofl_linkage_entry);
	t->entries = *at + sizeof(t->head);
	t->names = t->entries + entries;
	t->n_names = t->head.bytes - sizeof(t->head) - entries;
	t->taken = false;
	*at += t->head.bytes;
	*n -= t->head.bytes;
	return t->n_names != 0 && t->names[t->n_names - 1] == '\0';
}

static struct table *read_tables(const char *bytes, size_t n_bytes,
				 size_t *n_tables)
{
	struct table *list = NULL, t;
	Elf64_Shdr section;
	const char *at;
	size_t n;

	*n_tables = 0;
	if (!cofl_section_find(bytes, n_bytes, COFL_SECTION_LINKAGE, &section))
		return NULL;
	at = bytes + section.sh_offset;
	n = section.sh_size;
	while (next_table(&t, &at, &n)) {
		if ((*n_tables & (*n_tables - 1)) == 0)
			list = realloc(list, (*n_tables ? 2 * *n_tables : 1) *
					     sizeof(*list));
		if (list == NULL)
			abort();
		list[(*n_tables)++] = t;
	}
	return list;
}

/* The table of a piece. Objects with the same bitcode are alike, so it does not
 * matter which of them has which table. */
static struct table *table_of(struct table *list, size_t n, size_t from,
			      const struct cofl_record *r)
{
	for (size_t i = 0; i < n; i++) {
		struct table *t = &list[(from + i) % n];

		if (!t->taken && memcmp(t->head.hash, r->hash,
					sizeof(r->hash)) == 0) {
			t->taken = true;
			return t;
		}
	}
	return NULL;
}

static void read_names(struct cofl_bitcode_piece *piece, uint32_t number,
		       const struct table *t)
{
	piece->name = cofl_xcalloc(t->head.n, sizeof(*piece->name));
	piece->local = cofl_xcalloc(t->head.n, sizeof(*piece->local));
	for (size_t i = 0; i < t->head.n; i++) {
		struct cofl_linkage_entry e;
		const char *name;

		memcpy(&e, t->entries + i * sizeof(e), sizeof(e));
		name = e.name < t->n_names ? t->names + e.name : "";
		if (e.flags & COFL_LINKAGE_LOCAL)
			piece->local[piece->n_locals++] =
				(struct cofl_local_place){ name, e.own,
							   e.flags };
		if (e.flags & COFL_LINKAGE_PLACE)
			continue;
		piece->name[piece->n_names++] = (struct cofl_definition){
			.name = name,
			.version = e.version != 0 && e.version < t->n_names ?
				   t->names + e.version : NULL,
			.resolved = e.resolved, .own = e.own, .flags = e.flags,
			.piece = number,
		};
	}
}

static bool read_pieces(struct cofl_definitions *all, struct table *tables,
			size_t n_tables, const char *at, size_t n, char *why,
			size_t why_bytes)
{
	struct cofl_record r;
	const char *bytes;

	all->piece = cofl_xcalloc(n_tables + 1, sizeof(*all->piece));
	while (cofl_record_next(&r, &bytes, &at, &n)) {
		struct cofl_bitcode_piece *piece = &all->piece[all->n_pieces];
		struct table *t;

		if (r.kind != COFL_RECORD_BITCODE)
			continue;
		t = n_tables == 0 ? NULL :
		    table_of(tables, n_tables, all->n_pieces, &r);
		if (t == NULL) {
			snprintf(why, why_bytes, "what the linker decided is "
				 "not in it: section " COFL_SECTION_LINKAGE
				 " was stripped or discarded");
			return false;
		}
		piece->bytes = bytes;
		piece->n_bytes = r.bytes;
		read_names(piece, (uint32_t)all->n_pieces, t);
		all->n_pieces++;
	}
	return true;
}

/* -- By address ------------------------------------------------------------ */

static bool is_tls(const struct cofl_definition *d)
{
	return d->flags & COFL_LINKAGE_TLS;
}

static int by_address(const void *a, const void *b)
{
	const struct cofl_definition *x = *(void *const *)a;
	const struct cofl_definition *y = *(void *const *)b;

	if (is_tls(x) != is_tls(y))
		return is_tls(x) ? 1 : -1;
	if (x->own != y->own)
		return x->own < y->own ? -1 : 1;
	/* A definition takes the place of common variables. */
	if ((x->flags ^ y->flags) & COFL_LINKAGE_COMMON)
		return x->flags & COFL_LINKAGE_COMMON ? 1 : -1;
	if (x->piece != y->piece)
		return x->piece < y->piece ? -1 : 1;
	return x < y ? -1 : 1;
}

/* A version script may have made it local. */
static bool is_first_tls(const struct cofl_elf_symbols *symbols,
			 const char *name)
{
	const struct cofl_elf_symbol *s;
	size_t n;

	s = cofl_elf_symbols_at(symbols, 0, &n);
	for (size_t i = 0; i < n; i++)
		if (s[i].type == STT_TLS &&
		    cofl_elf_symbols_same(s[i].name, name))
			return true;
	return false;
}

/* Is it in the executable? Offset 0 among thread-local variables is one. */
static bool has_place(const struct cofl_definition *d,
		      const struct cofl_elf_symbols *symbols)
{
	if (!(d->flags & COFL_LINKAGE_DEFINED) ||
	    d->flags & COFL_LINKAGE_IFUNC)
		return false;
	return d->own != 0 ||
	       (is_tls(d) && is_first_tls(symbols, d->name));
}

/* Is it what some object has for itself? */
static bool is_local_to_one(const struct cofl_definitions *all,
			    const struct cofl_elf_symbol *s)
{
	for (size_t p = 0; p < all->n_pieces; p++)
		for (size_t i = 0; i < all->piece[p].n_locals; i++)
			if (all->piece[p].local[i].address == s->value &&
			    cofl_elf_symbols_same(all->piece[p].local[i].name,
						  s->name))
				return true;
	return false;
}

/* What the assembler, or the linker, did not tell is in the symbols: names that
 * have an address in the executable were not discarded. Unless that is another
 * object's, of a name for itself: a linker made what is hidden local. */
static void place(struct cofl_definition *d, const struct cofl_definitions *all,
		  const struct cofl_elf_symbols *symbols)
{
	const struct cofl_elf_symbol *s;

	if (d->flags & COFL_LINKAGE_COMMON)
		d->own = d->resolved;
	if (d->own != 0 || d->resolved != 0 ||
	    d->flags & (COFL_LINKAGE_LOCAL | COFL_LINKAGE_IFUNC))
		return;
	s = cofl_elf_symbols_named(symbols, d->name);
	if (s == NULL || s->section == SHN_UNDEF || s->section == SHN_ABS ||
	    s->type == STT_GNU_IFUNC ||
	    (s->type == STT_TLS) != is_tls(d) ||
	    (s->bind == STB_LOCAL && is_local_to_one(all, s)))
		return;
	d->resolved = s->value;
	if (d->flags & COFL_LINKAGE_DEFINED)
		d->own = d->resolved;
}

static void sort(struct cofl_definitions *all,
		 const struct cofl_elf_symbols *symbols)
{
	size_t n = 0;

	for (size_t p = 0; p < all->n_pieces; p++)
		n += all->piece[p].n_names;
	all->at = cofl_xcalloc(n + 1, sizeof(*all->at));
	for (size_t p = 0; p < all->n_pieces; p++) {
		for (size_t i = 0; i < all->piece[p].n_names; i++) {
			struct cofl_definition *d = &all->piece[p].name[i];

			place(d, all, symbols);
			if (has_place(d, symbols))
				all->at[all->n_at++] = d;
		}
	}
	qsort(all->at, all->n_at, sizeof(*all->at), by_address);
}

/* The first definition that is not before the address. */
static size_t lower(const struct cofl_definitions *all, uint64_t address,
		    bool tls)
{
	size_t from = 0, n = all->n_at;

	while (n > 0) {
		size_t half = n / 2;
		const struct cofl_definition *d = all->at[from + half];

		if (is_tls(d) != tls ? tls : d->own < address) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return from;
}

static bool is_at(const struct cofl_definitions *all, size_t i,
		  uint64_t address, bool tls)
{
	return i < all->n_at && all->at[i]->own == address &&
	       is_tls(all->at[i]) == tls;
}

struct cofl_definition *
cofl_definitions_at(const struct cofl_definitions *all, uint64_t address,
		    bool tls, const char *name)
{
	size_t first = lower(all, address, tls);
	struct cofl_definition *other = NULL;

	for (size_t i = first; is_at(all, i, address, tls); i++) {
		struct cofl_definition *d = all->at[i];

		if (d->flags & COFL_LINKAGE_LOCAL)
			continue;
		if (strcmp(d->name, name) == 0)
			return d->is != NULL ? d->is : d;
		if (other == NULL && !(d->flags & COFL_LINKAGE_ALIAS))
			other = d;
	}
	for (size_t i = first; other == NULL && is_at(all, i, address, tls);
	     i++)
		if (!(all->at[i]->flags & COFL_LINKAGE_LOCAL))
			other = all->at[i];
	return other != NULL && other->is != NULL ? other->is : other;
}

bool cofl_definitions_has(const struct cofl_definitions *all, uint64_t address)
{
	return is_at(all, lower(all, address, false), address, false);
}

struct cofl_definition *
cofl_definitions_before(const struct cofl_definitions *all, uint64_t address)
{
	size_t i = lower(all, address, false);

	return i > 0 ? all->at[i - 1] : NULL;
}

/* -- Which one ------------------------------------------------------------- */

/*
 * Several definitions at one address: of copies of a function, all but the
 * first were discarded, and linkers take the first one's place for theirs.
 * Functions that the linker found to be alike, and of which it kept one, are
 * not: their code is the same, but not what their types say.
 */
static void choose_at(struct cofl_definitions *all, size_t i)
{
	struct cofl_definition *d = all->at[i];

	d->is = d;
	for (size_t k = i; k-- > 0 && is_at(all, k, d->own, is_tls(d));) {
		struct cofl_definition *e = all->at[k];

		if (strcmp(d->name, e->name) == 0)
			d->is = e->is;
	}
}

static void choose(struct cofl_definitions *all,
		   const struct cofl_elf_symbols *symbols)
{
	for (size_t i = 0; i < all->n_at; i++)
		choose_at(all, i);
	/* Where references lead elsewhere, the definition is not the one. */
	for (size_t i = 0; i < all->n_at; i++) {
		struct cofl_definition *d = all->at[i];

		if (d->resolved == d->own || d->flags & COFL_LINKAGE_LOCAL)
			continue;
		/* But it may be the one that others mean. */
		d->split = d->is == d &&
			   cofl_elf_symbols_global(symbols, d->name, d->own);
		if (!d->split)
			d->is = NULL;
	}
}

bool cofl_definitions_open(struct cofl_definitions *all, const char *bytes,
			   size_t n_bytes, const char *records,
			   size_t n_records, char *why, size_t why_bytes)
{
	struct table *tables;
	size_t n_tables;
	bool opened;

	*all = (struct cofl_definitions){ 0 };
	tables = read_tables(bytes, n_bytes, &n_tables);
	opened = read_pieces(all, tables, n_tables, records, n_records, why,
			     why_bytes);
	free(tables);
	return opened;
}

void cofl_definitions_choose(struct cofl_definitions *all,
			     const struct cofl_elf_symbols *symbols)
{
	sort(all, symbols);
	choose(all, symbols);
}

void cofl_definitions_close(struct cofl_definitions *all)
{
	for (size_t p = 0; p < all->n_pieces; p++) {
		free(all->piece[p].name);
		free(all->piece[p].local);
	}
	free(all->piece);
	free(all->at);
	free(all->special);
	free(all->named);
	*all = (struct cofl_definitions){ 0 };
}

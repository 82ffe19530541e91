/*
 * elf_symbols.c - two sorted tables; see elf_symbols.h
 */
#include "resolve/elf_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "resolve/elf_versions.h"
#include "support/section.h"
#include "support/xcalloc.h"

/* As strcmp(3), without versions. */
static int compare(const char *a, const char *b)
{
	size_t n = strcspn(a, "@"), m = strcspn(b, "@");
	int order = memcmp(a, b, n < m ? n : m);

	return order != 0 ? order : (n > m) - (n < m);
}

bool cofl_elf_symbols_same(const char *a, const char *b)
{
	return compare(a, b) == 0;
}

static int by_name(const void *a, const void *b)
{
	const struct cofl_elf_symbol *x = a, *y = b;

	return compare(x->name, y->name);
}

static int by_value(const void *a, const void *b)
{
	const struct cofl_elf_symbol *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static struct cofl_elf_symbol *read_table(const char *bytes, size_t n_bytes,
					  const char *section, size_t *n)
{
	struct cofl_elf_symbol *list;
	Elf64_Shdr table, strings;
	Elf64_Sym s;

	*n = 0;
	if (!cofl_section_find(bytes, n_bytes, section, &table) ||
	    !cofl_section_header(bytes, n_bytes, table.sh_link, &strings))
		return NULL;
	*n = table.sh_size / sizeof(s);
	list = cofl_xcalloc(*n + 1, sizeof(*list));
	for (size_t i = 0; i < *n; i++) {
		memcpy(&s, bytes + table.sh_offset + i * sizeof(s), sizeof(s));
		list[i] = (struct cofl_elf_symbol){
			.name = cofl_section_string(bytes, &strings, s.st_name),
			.value = s.st_value, .size = s.st_size,
			.section = s.st_shndx,
			.type = ELF64_ST_TYPE(s.st_info),
			.bind = ELF64_ST_BIND(s.st_info),
		};
	}
	return list;
}

/* Before the table is sorted. */
static void note_copies(struct cofl_elf_symbols *symbols, const char *bytes,
			size_t n_bytes)
{
	Elf64_Shdr table;
	Elf64_Rela r;

	if (!cofl_section_find(bytes, n_bytes, ".rela.dyn", &table))
		return;
	for (uint64_t at = 0; at + sizeof(r) <= table.sh_size;
	     at += sizeof(r)) {
		memcpy(&r, bytes + table.sh_offset + at, sizeof(r));
		if (ELF64_R_TYPE(r.r_info) == R_X86_64_COPY &&
		    ELF64_R_SYM(r.r_info) < symbols->n_dynamic)
			symbols->dynamic[ELF64_R_SYM(r.r_info)].copied = true;
	}
}

bool cofl_elf_symbols_open(struct cofl_elf_symbols *symbols, const char *bytes,
			   size_t n_bytes)
{
	*symbols = (struct cofl_elf_symbols){ 0 };
	symbols->symbol = read_table(bytes, n_bytes, ".symtab", &symbols->n);
	if (symbols->symbol == NULL)
		return false;
	symbols->dynamic = read_table(bytes, n_bytes, ".dynsym",
				      &symbols->n_dynamic);
	note_copies(symbols, bytes, n_bytes);
	for (size_t i = 0; i < symbols->n_dynamic; i++)
		symbols->dynamic[i].version =
			cofl_elf_versions_needed(bytes, n_bytes, i);
	symbols->place = cofl_xcalloc(symbols->n + 1, sizeof(*symbols->place));
	for (size_t i = 1; i < symbols->n; i++)
		if (symbols->symbol[i].section != SHN_UNDEF &&
		    symbols->symbol[i].section < SHN_LORESERVE)
			symbols->place[symbols->n_places++] =
				symbols->symbol[i];
	qsort(symbols->symbol, symbols->n, sizeof(*symbols->symbol), by_name);
	qsort(symbols->place, symbols->n_places, sizeof(*symbols->place),
	      by_value);
	if (symbols->dynamic != NULL)
		qsort(symbols->dynamic, symbols->n_dynamic,
		      sizeof(*symbols->dynamic), by_name);
	return true;
}

void cofl_elf_symbols_close(struct cofl_elf_symbols *symbols)
{
	free(symbols->symbol);
	free(symbols->place);
	free(symbols->dynamic);
	*symbols = (struct cofl_elf_symbols){ 0 };
}

/* The first entry of `n` that is not before `key`. */
static size_t lower(const struct cofl_elf_symbol *list, size_t n,
		    const struct cofl_elf_symbol *key,
		    int (*order)(const void *, const void *))
{
	size_t from = 0;

	while (n > 0) {
		size_t half = n / 2;

		if (order(&list[from + half], key) < 0) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return from;
}

static const struct cofl_elf_symbol *
first_global(const struct cofl_elf_symbol *list, size_t n, const char *name,
	     const uint64_t *value)
{
	struct cofl_elf_symbol key = { .name = name };

	for (size_t i = lower(list, n, &key, by_name);
	     i < n && compare(list[i].name, name) == 0; i++)
		if (list[i].bind != STB_LOCAL &&
		    (value == NULL || (list[i].section != SHN_UNDEF &&
				       list[i].value == *value)))
			return &list[i];
	return NULL;
}

const struct cofl_elf_symbol *
cofl_elf_symbols_global(const struct cofl_elf_symbols *symbols,
			const char *name, uint64_t value)
{
	return first_global(symbols->symbol, symbols->n, name, &value);
}

/* NULL: there is none, or there are several. */
static const struct cofl_elf_symbol *
only_local(const struct cofl_elf_symbols *symbols, const char *name)
{
	struct cofl_elf_symbol key = { .name = name };
	size_t i = lower(symbols->symbol, symbols->n, &key, by_name);

	if (i >= symbols->n || compare(symbols->symbol[i].name, name) != 0 ||
	    (i + 1 < symbols->n &&
	     compare(symbols->symbol[i + 1].name, name) == 0))
		return NULL;
	return &symbols->symbol[i];
}

const struct cofl_elf_symbol *
cofl_elf_symbols_named(const struct cofl_elf_symbols *symbols, const char *name)
{
	const struct cofl_elf_symbol *s =
		first_global(symbols->symbol, symbols->n, name, NULL);

	return s != NULL ? s : only_local(symbols, name);
}

const struct cofl_elf_symbol *
cofl_elf_symbols_dynamic(const struct cofl_elf_symbols *symbols,
			 const char *name)
{
	return first_global(symbols->dynamic, symbols->n_dynamic, name, NULL);
}

const struct cofl_elf_symbol *
cofl_elf_symbols_at(const struct cofl_elf_symbols *symbols, uint64_t value,
		    size_t *n)
{
	struct cofl_elf_symbol key = { .value = value };
	size_t from = lower(symbols->place, symbols->n_places, &key, by_value);

	for (*n = 0; from + *n < symbols->n_places &&
	     symbols->place[from + *n].value == value;)
		++*n;
	return symbols->place + from;
}

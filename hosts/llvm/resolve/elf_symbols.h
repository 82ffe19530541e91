/*
 * elf_symbols.h - the symbols of an executable, by name and by address
 *
 * Names are compared without @VERSION, since .symtab has them with it and
 * .dynsym without. Pure; strings are borrowed from the file's bytes.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cofl_elf_symbol {
	const char *name;
	uint64_t    value, size;
	uint16_t    section;	/* SHN_UNDEF, SHN_ABS */
	uint8_t     type, bind;
	/* Of .dynsym alone. */
	bool        copied;	/* from a library, when the program starts */
	const char *version;	/* that a library is to have; NULL: any */
};

struct cofl_elf_symbols {
	struct cofl_elf_symbol *symbol;		/* .symtab, by name */
	size_t                  n;
	struct cofl_elf_symbol *place;	/* what is defined, by address */
	size_t                  n_places;
	struct cofl_elf_symbol *dynamic;	/* .dynsym, by name */
	size_t                  n_dynamic;
};

/* False: the file has no .symtab. */
bool cofl_elf_symbols_open(struct cofl_elf_symbols *symbols, const char *bytes,
			   size_t n_bytes);
void cofl_elf_symbols_close(struct cofl_elf_symbols *symbols);

/* Are the names equal but for versions? */
bool cofl_elf_symbols_same(const char *a, const char *b);

/* A symbol that is not local, and is defined at `value`, whatever its type is;
 * NULL: there is none of that name. */
const struct cofl_elf_symbol *
cofl_elf_symbols_global(const struct cofl_elf_symbols *symbols,
			const char *name, uint64_t value);

/* The first symbol of that name that is not local, or the only one of that
 * name: linkers make what is hidden local. NULL: there is none. */
const struct cofl_elf_symbol *
cofl_elf_symbols_named(const struct cofl_elf_symbols *symbols,
		       const char *name);

/* The same in .dynsym. */
const struct cofl_elf_symbol *
cofl_elf_symbols_dynamic(const struct cofl_elf_symbols *symbols,
			 const char *name);

/* The symbols at an address, or with that offset among thread-local variables:
 * *n of them. */
const struct cofl_elf_symbol *
cofl_elf_symbols_at(const struct cofl_elf_symbols *symbols, uint64_t value,
		    size_t *n);

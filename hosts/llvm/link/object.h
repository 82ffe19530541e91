/*
 * object.h - an x86-64 ELF object file in memory, as LLVM makes it
 *
 * A view: nothing is copied, and the bytes must outlive it.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cofl_object {
	const char       *bytes;
	const Elf64_Shdr *section;
	uint32_t          n_sections;
	const char       *section_names;
	const Elf64_Sym  *symbol;
	uint32_t          n_symbols;
	const char       *symbol_names;
};

/* False: not an x86-64 object file, or damaged. */
bool cofl_object_open(struct cofl_object *o, const void *bytes, size_t n);

static inline const char *cofl_object_section_name(const struct cofl_object *o,
						   uint32_t i)
{
	return o->section_names + o->section[i].sh_name;
}

static inline const char *cofl_object_symbol_name(const struct cofl_object *o,
						  uint32_t i)
{
	return o->symbol_names + o->symbol[i].st_name;
}

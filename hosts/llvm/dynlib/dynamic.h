/*
 * dynamic.h - what an executable tells the dynamic linker
 *
 * Its libraries, where to search for them, and the names it exports to them.
 * All strings are borrowed from the file's bytes; the lists are not.
 */
#pragma once

#include <elf.h>
#include <stddef.h>

#include "program/bitcode_file.h"

struct cofl_dynamic {
	const char **needed;	/* DT_NEEDED, in their order */
	size_t       n_needed;
	const char  *dirs;	/* NULL: none */
	Elf64_Sxword dirs_tag;	/* DT_RUNPATH or DT_RPATH */
	struct cofl_dynamic_name {
		const char *name;
		Elf64_Sym   symbol;	/* as the executable has it */
	}           *exported;
	size_t       n_exported;
};

/* All zero if the file is bitcode alone, which was never linked. */
void cofl_dynamic_read(struct cofl_dynamic *dynamic,
		       const struct cofl_bitcode_file *file);
void cofl_dynamic_free(struct cofl_dynamic *dynamic);

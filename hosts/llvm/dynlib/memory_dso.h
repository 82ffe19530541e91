/*
 * memory_dso.h - make a shared library without code, in memory
 *
 *	headers | dynamic | first | relocation |
 *	symbols | hash | versions | strings
 *
 * It is one page-aligned segment for the dynamic linker to read. It has names
 * at absolute addresses (SHN_ABS), a list of needed libraries, and a function
 * that is called before any constructor of these (DF_1_INITFIRST).
 *
 * All names have the version COFL_MEMORY_DSO_VERSION. A reference without a
 * version finds them; libraries have such references to what no library
 * defines. A reference with another version does not find them. So libLLVM and
 * its libraries, which share the process, never bind to the program's names.
 */
#pragma once

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#define COFL_MEMORY_DSO_VERSION "PROGRAM"

struct cofl_memory_dso_name {
	const char   *name;
	uintptr_t     address;
	uint64_t      size;
	unsigned char info;	/* st_info */
};

struct cofl_memory_dso {
	const struct cofl_memory_dso_name *name;
	size_t             n_names;
	const char *const *needed;
	size_t             n_needed;
	const char        *dirs;	/* NULL: none */
	Elf64_Sxword       dirs_tag;	/* DT_RUNPATH, DT_RPATH */
	uintptr_t          first;	/* function to call first */
};

/* The bytes of the file, for the caller to free(3). Never NULL. */
char *cofl_memory_dso_make(const struct cofl_memory_dso *dso, size_t *n_bytes);

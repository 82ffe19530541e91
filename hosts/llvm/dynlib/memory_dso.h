/*
 * memory_dso.h - a shared library without code, made in memory
 *
 *	headers | dynamic | first | relocation | symbols | hash | versions | strings
 *
 * It is one page-aligned segment, as the dynamic linker reads it: names at absolute
 * addresses (SHN_ABS), libraries it needs, and a function that is called before any
 * constructor of these (DF_1_INITFIRST).
 *
 * All names have the version COFL_MEMORY_DSO_VERSION. A reference without a version, as
 * libraries have to what no library defines, finds them; one with another version does
 * not, and so those of libLLVM's libraries to each other, which share the process, are
 * never taken for the program's.
 */
#ifndef COFL_DYNLIB_MEMORY_DSO_H
#define COFL_DYNLIB_MEMORY_DSO_H

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
	size_t                         n_names;
	const char *const             *needed;
	size_t                         n_needed;
	const char                    *dirs;	/* NULL: none */
	Elf64_Sxword                   dirs_tag;	/* DT_RUNPATH, DT_RPATH */
	uintptr_t                      first;	/* the function */
};

/* The file: malloc(3), never NULL. */
char *cofl_memory_dso_make(const struct cofl_memory_dso *shared, size_t *n_bytes);

#endif /* COFL_DYNLIB_MEMORY_DSO_H */

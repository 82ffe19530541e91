/*
 * section.h - sections of an ELF executable or shared library in memory
 *
 * The bytes are a file's, and nobody has checked them. Pure.
 */
#ifndef COFL_SUPPORT_SECTION_H
#define COFL_SUPPORT_SECTION_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where cof-cc leaves bitcode (program/bitcode_file.h). */
#define COFL_SECTION_BITCODE ".cof.bc"

/* Is it one, for x86-64? */
bool cofl_section_is_elf(const char *bytes, size_t n_bytes);

/* Number `i`, copied, since tables may stand at any offset. False: there is none, or
 * it is not inside the file. */
bool cofl_section_header(const char *bytes, size_t n_bytes, uint32_t i,
			 Elf64_Shdr *out);

/* The first one of that name that has contents. */
bool cofl_section_find(const char *bytes, size_t n_bytes, const char *name,
		       Elf64_Shdr *out);

/* A string of a table of strings; "": outside. */
const char *cofl_section_string(const char *bytes, const Elf64_Shdr *table,
				uint64_t at);

#endif /* COFL_SUPPORT_SECTION_H */

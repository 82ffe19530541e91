/*
 * section.h - sections of an ELF executable or shared library in memory
 *
 * The bytes come from a file and are not trusted: all offsets are checked.
 * Pure.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The section in which cof-cc stores bitcode (record.h). */
#define COFL_SECTION_BITCODE ".cof.bc"

/* Is it an executable or shared library for x86-64? */
bool cofl_section_is_elf(const char *bytes, size_t n_bytes);

/* A copy of header number `i`, since tables may be misaligned. False: there is
 * no such section, or it is not inside the file. */
bool cofl_section_header(const char *bytes, size_t n_bytes, uint32_t i,
			 Elf64_Shdr *out);

/* The first section of that name that has contents. False: there is none. */
bool cofl_section_find(const char *bytes, size_t n_bytes, const char *name,
		       Elf64_Shdr *out);

/* The string at offset `at` of a string table; "": it is not inside.
 * Borrowed. */
const char *cofl_section_string(const char *bytes, const Elf64_Shdr *table,
				uint64_t at);

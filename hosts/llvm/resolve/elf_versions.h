/*
 * elf_versions.h - which version of a library's symbol the linker bound
 */
#pragma once

#include <stddef.h>

/* Of symbol number `i` of .dynsym; NULL: any, or the executable has it itself.
 * Borrowed from the bytes. */
const char *cofl_elf_versions_needed(const char *bytes, size_t n_bytes,
				     size_t i);

/*
 * linked.h - an executable as the linker made it, with pieces of bitcode
 *
 * cof-cc's plug-in puts an object's bitcode into its section .cof.bc, and the
 * linker concatenates these sections.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cofl_linked_file {
	const char *bytes;	/* the whole file, mapped for good */
	size_t      n_bytes;
	const char *records;	/* section .cof.bc, undamaged */
	size_t      n_records;
	const char *left_out;	/* the option for which a piece has no bitcode;
				 * NULL: all have */
	size_t      n_left_out;
};

/* False: it cannot be read, has no bitcode or is damaged, and `why` says so. */
bool cofl_linked_file_open(struct cofl_linked_file *file, const char *path,
			   char *why, size_t why_bytes);

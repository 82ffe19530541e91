/*
 * bitcode_file.h - a program's bitcode: a file of its own, or in an executable
 *
 * cof-cc puts an object's bitcode into its section .cof.bc. The linker
 * concatenates these sections, and cof-cc then joins the bitcode in them to
 * one. If the bitcode is not joined, it is joined here, each time the file is
 * opened.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cofl_bitcode_file {
	const char *bytes;	/* the whole file */
	size_t      n_bytes;
	const char *bitcode;
	size_t      n_bitcode;
	bool        is_elf;
	void       *joined;	/* malloc(3); NULL: .bitcode is in the file */
};

/* Open the file. False: `why` has the reason. */
bool cofl_bitcode_file_open(struct cofl_bitcode_file *file, const char *path,
			    char *why, size_t why_bytes);
void cofl_bitcode_file_close(struct cofl_bitcode_file *file);

/* The length in bytes of the bitcode file at the beginning of `bytes`; 0: there
 * is none. Pure. */
size_t cofl_bitcode_file_bytes(const void *bytes, size_t n);

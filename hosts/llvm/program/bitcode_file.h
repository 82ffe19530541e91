/*
 * bitcode_file.h - where a program's bitcode is: a file of its own, or in an executable
 *
 * cof-cc leaves an object's bitcode in its section .cof.bc; linking joins the
 * sections, and cof-cc then joins what is in them. If that was not done, it is
 * done here, each time.
 */
#ifndef COFL_PROGRAM_BITCODE_FILE_H
#define COFL_PROGRAM_BITCODE_FILE_H

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

/* Read the file. False: why says what is wrong with it. */
bool cofl_bitcode_file_open(struct cofl_bitcode_file *file, const char *path, char *why,
		    size_t why_bytes);
void cofl_bitcode_file_close(struct cofl_bitcode_file *file);

/* The length of the bitcode file that `bytes` begins with; 0: it is none. Pure. */
size_t cofl_bitcode_file_bytes(const void *bytes, size_t n);

#endif /* COFL_PROGRAM_BITCODE_FILE_H */

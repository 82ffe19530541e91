/*
 * executable.h - what the linker made
 */
#pragma once

#include <stdbool.h>

struct executable {
	bool is_file;		/* and no device, as /dev/null */
	bool is_program;	/* for x86-64, and no library or object */
	bool is_static;
	bool has_section;	/* .cof.bc */
	unsigned n_bitcode;	/* records in it (support/record.h) */
};

/* Reads the file. One that cannot be read is no program. */
void executable_read(struct executable *e, const char *path);

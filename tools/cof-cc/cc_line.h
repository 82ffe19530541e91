/*
 * cc_line.h - what a compiler's command line asks for
 */
#pragma once

#include <stdbool.h>

enum cc_line_makes {
	CC_LINE_OTHER,		/* no code, or nothing: clang alone does it */
	CC_LINE_OBJECTS,
	CC_LINE_PROGRAM,	/* or a shared library */
};

struct cc_line {
	enum cc_line_makes makes;
	const char *output;	/* of -o; NULL: it has none */
	bool        discards;	/* the linker discards what nothing uses */
	bool        version;	/* --version */

	/* The first option because of which an object's bitcode is left out,
	 * and a program's. NULL: there is none. */
	const char *instrumented, *linked;
};

/* `argv` begins behind the compiler and ends with NULL. Keeps pointers to its
 * words. */
void cc_line_read(struct cc_line *l, char *const *argv);

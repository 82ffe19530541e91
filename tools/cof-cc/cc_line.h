/*
 * cc_line.h - a compiler's command line, taken apart
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

struct cc_line {
	const char  *clang;
	struct words all;	/* all words but the compiler */
	struct words options;	/* all but inputs, -c, -o, and options about
				 * dependencies */
	struct words about_deps;	/* options about dependencies */
	const char  *output;	/* of -o */
	const char  *dep_file;	/* of -MF */
	bool         dep_target;	/* -MT or -MQ */
	bool         deps;	/* -MD, -MMD */
	bool         compile;	/* -c */
	bool         library;	/* -shared, -r: it links no program */
	bool         clangs;	/* all of it is left to clang */
	unsigned     n_sources, n_inputs;
};

/* `argv` begins behind the compiler and ends with NULL. Keeps pointers to its
 * words. */
void cc_line_read(struct cc_line *l, char **argv);

/* Is this word an input of the compiler? `*n`: how many words it has, with its
 * value. */
bool cc_line_is_input(char *const *word, size_t *n);

/* By the file's name: is it in a language that has bitcode? Is it assembly? */
bool cc_line_is_source(const char *name);
bool cc_line_is_assembly(const char *name);

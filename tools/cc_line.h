/*
 * cc_line.h - what a compiler's command line asks for
 */
#ifndef COF_TOOLS_CC_LINE_H
#define COF_TOOLS_CC_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

struct cc_line {
	const char  *clang;
	struct words all;	/* without the compiler */
	struct words options;	/* without inputs, -c, -o, and what is about
				 * dependencies */
	struct words about_deps;
	const char  *output;	/* of -o */
	const char  *dep_file;	/* of -MF */
	bool         dep_target;	/* -MT or -MQ */
	bool         deps;	/* -MD, -MMD */
	bool         compile;	/* -c */
	bool         library;	/* -shared, -r: what is linked is no program */
	bool         clangs;	/* nothing for us */
	unsigned     n_sources, n_inputs;
};

/* Without argv[0], which is not in it; ends with NULL. Words are kept. */
void cc_line_read(struct cc_line *l, char **argv);

/* Is this word an input of the compiler? `*n`: words it and its value take. */
bool cc_line_is_input(char *const *word, size_t *n);

/* By the file's name: of a language that has bitcode; that is assembled. */
bool cc_line_is_source(const char *name);
bool cc_line_is_assembly(const char *name);

#endif

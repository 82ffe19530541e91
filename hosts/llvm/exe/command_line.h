/*
 * command_line.h - cof-llvm's words and the program's, apart
 *
 * From `runtime` the program's arguments come alone, and cof-llvm's words come
 * behind the environment (runtime/handoff.h). By hand, and for a process that
 * makes an image, the words come first: cof-llvm [--WORD...] [--] PROGRAM
 * [ARG...].
 */
#pragma once

struct command_line {
	char  *program;		/* as on the command line; NULL: none */
	char **word;		/* cof-llvm's options */
	int    n_words;
	int    argc;		/* the program's */
	char **argv, **envp;
};

/* Takes the words off the environment, and moves argv and envp up to where they
 * natively are: before the auxiliary vector. Once, first thing in main(). */
void command_line_take(struct command_line *line, int argc, char **argv,
		       char **envp);

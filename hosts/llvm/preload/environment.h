/*
 * environment.h - take what runtime added off the environment (handover.h)
 *
 * Afterwards the program's environment is what it would be natively: pointers,
 * strings, and what is behind them on the initial stack.
 */
#pragma once

#include <stdbool.h>

/* What runtime said. Constant once environment_take() returned. */
struct environment {
	const char *program;	/* its path, as runtime was given it */
	const char *how;	/* these two: handover.h */
	const char *runtime;
	const char *options;	/* libcof's, with commas between */
	const char *libraries;	/* what it put into LD_PRELOAD */
	char      **read;	/* copies of the variables that libcof reads: it
				 * does later, when the program may have changed
				 * or overwritten them */
	bool        exec_self;
	bool        linked;	/* the executable is not that file */
	bool        off;	/* libcof takes no part */
	bool        finish;	/* the program does not begin */
};

/* `envp` is the kernel's array. NULL: it was not runtime that executed this
 * process. Once, before anybody reads the environment. */
const struct environment *environment_take(char **envp);

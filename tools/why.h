/*
 * why.h - cof-stats --why: what mode auto will do with a program, and why
 *
 *	PROGRAM --> its content's hash --+--> store, read-only --> past
 *	            or its name, if it is no file, or one not known
 *	past --> decide.c --> the verdict and the evidence, printed
 *
 * The same evidence and the same verdict as in the program's own next start: the
 * functions are the same ones.
 */
#ifndef COF_TOOLS_WHY_H
#define COF_TOOLS_WHY_H

#include <stdbool.h>
#include <stdio.h>

#define WHY_TEXT 400	/* bytes for a line about what is wrong */

/* `options`: for cof_opts_parse(), as the program gets them; or NULL. 0, or -1
 * with `why`: there is nothing to print. */
int why_print(FILE *to, const char *program, const char *options, bool json,
	      char why[WHY_TEXT]);

#endif /* COF_TOOLS_WHY_H */

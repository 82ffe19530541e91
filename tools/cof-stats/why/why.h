/*
 * why.h - cof-stats --why: what mode auto will do with a program, and why
 *
 *	PROGRAM --> the hash of its content, or its name --> store --> past
 *	past    --> run_verdict.c --> verdict and evidence --> printed
 *
 * It goes by the name if PROGRAM is no file, or a file that the store does not
 * know. The store is opened read-only. The functions are those of the program's
 * own next start, so the evidence and the verdict are the same.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define WHY_TEXT 400	/* bytes for a line about what is wrong */

/* `options`: the program's, for cof_opts_parse(); or NULL. 0; or -1 with `why`,
 * and nothing was printed. */
int why_print(FILE *to, const char *program, const char *options, bool json,
	      char why[WHY_TEXT]);

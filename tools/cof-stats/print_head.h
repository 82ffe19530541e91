/*
 * print_head.h - the lines about the whole process, for people
 *
 *	pid 4711  running  up 12.3 s ...	what process
 *	loop      on, in phase 2; ...		is it on?
 *	gain      ...				does it help?
 *	overhead  ...				what does it cost?
 */
#ifndef COF_TOOLS_PRINT_HEAD_H
#define COF_TOOLS_PRINT_HEAD_H

#include <stdio.h>

#include "reader.h"

/*
 * `columns`: what is longer is cut to that; 0: nothing is cut. `before`: an
 * earlier look at the same file, or NULL (derived_of()).
 */
void print_head(FILE *to, const struct reader *r, const struct reader *before,
		unsigned columns);

#endif /* COF_TOOLS_PRINT_HEAD_H */

/*
 * print_head.h - the lines about the whole process, for people
 *
 *	pid 4711  running  up 12.3 s ...	what process
 *	loop      on, in phase 2; ...		is it on?
 *	gain      ...				does it help?
 *	overhead  ...				what does it cost?
 */
#pragma once

#include <stdio.h>

#include "reader.h"

/*
 * `columns`: what is longer is cut to that; 0: nothing is cut. `before`: an
 * earlier look at the same file, or NULL (derived_of()).
 */
void print_head(FILE *to, const struct reader *r, const struct reader *before,
		unsigned columns);

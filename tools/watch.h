/*
 * watch.h - cof-stats --watch: look again and again, with rates
 */
#ifndef COF_TOOLS_WATCH_H
#define COF_TOOLS_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reader.h"

/*
 * Print a look at `fd` every `period_ns` until the process is dead or gave its
 * file up (returns 0), SIGINT or SIGTERM comes (exits with status 0), the file
 * turns out to be damaged (-1 with `why`), or nobody reads (-1, `why` empty).
 * On a terminal each look replaces the one before; else a blank line is between
 * them. `json`: an object a line.
 */
int watch_run(int fd, FILE *to, uint64_t period_ns, bool json,
	      char why[READER_WHY]);

#endif /* COF_TOOLS_WATCH_H */

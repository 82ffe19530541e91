/*
 * watch.h - cof-stats --watch: look again and again, with rates
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reader.h"

/* Prints one look. `before`: the look before it; NULL: this is the first. */
typedef void (*watch_print)(FILE *to, const struct reader *r,
			    const struct reader *before);

/*
 * Print a look at `fd` every `period_ns`. Ends
 *	with 0 when the process is dead or gave its file up,
 *	with exit status 0 of cof-stats at SIGINT or SIGTERM,
 *	with -1 and `why` when the file is damaged,
 *	with -1 and an empty `why` when `to` cannot be written.
 * On a terminal each look replaces the one before. Elsewhere a blank line
 * stands between them, or none if `lines`: each look is a line.
 */
int watch_run(int fd, FILE *to, uint64_t period_ns, watch_print print,
	      bool lines, char why[READER_WHY]);

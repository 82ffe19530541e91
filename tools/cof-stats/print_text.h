/*
 * print_text.h - all that one look at a process shows, for people (--all)
 */
#pragma once

#include <stdio.h>

#include "reader.h"

/* Everything in the file. */
void print_text(FILE *to, const struct reader *r);

/*
 * The head, methods, and the counters that are not zero, with their change per
 * second since `before`, an earlier look at the same file. NULL: there was
 * none.
 */
void print_text_rates(FILE *to, const struct reader *r,
		      const struct reader *before);

/*
 * print_summary.h - one look at a process on one screen, for people
 *
 *	head		is it on, does it help, what does it cost
 *	hot methods	where the time goes, and what became of each
 *	given up	work that stages dropped, and why
 *
 * It fits 80 columns and 24 lines, unless the head has an unusual line.
 */
#pragma once

#include <stdio.h>

#include "reader.h"

/* `before`: an earlier look at the same file, or NULL (derived_of()). */
void print_summary(FILE *to, const struct reader *r,
		   const struct reader *before);

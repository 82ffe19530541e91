/*
 * print_json.h - one look at a process, for programs
 *
 * One object on one line. docs/cof-stats.1 says what is in it.
 */
#ifndef COF_TOOLS_PRINT_JSON_H
#define COF_TOOLS_PRINT_JSON_H

#include <stdio.h>

#include "reader.h"

/* Everything there is. */
void json_print(FILE *to, const struct reader *r);

/* The first part of it, for lists: what process this is. */
void json_print_head(FILE *to, const struct reader *r);

#endif /* COF_TOOLS_PRINT_JSON_H */

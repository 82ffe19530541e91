/*
 * print_json.h - all of one look at a process, for programs
 *
 * One object on one line. docs/cof-stats.1 says what is in it.
 */
#pragma once

#include <stdio.h>

#include "json_writer.h"
#include "reader.h"

/* Everything in the file. */
void print_json(FILE *to, const struct reader *r);

/* For lists: an object of the members that tell which process this is. */
void print_json_head(struct json_writer *w, const struct reader *r);

/*
 * escape.h - print a text that another process wrote
 *
 * No part of it reaches the terminal as a command, or breaks JSON.
 */
#pragma once

#include <stdio.h>

/*
 * Print control characters and bytes that are not UTF-8 as \xNN, a backslash as
 * \\. The text takes `columns` columns: it is padded with spaces, or cut and
 * ends in "...". 0: all of it, without padding.
 */
void escape_text(FILE *to, const char *s, unsigned columns);

/* The same without padding. */
void escape_cut(FILE *to, const char *s, unsigned columns);

/* A JSON string, quotes included; bytes that are not UTF-8 become U+FFFD. */
void escape_json(FILE *to, const char *s);

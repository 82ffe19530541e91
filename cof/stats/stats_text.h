/*
 * stats_text.h - texts of the stats file, which have a place of fixed size
 *
 * Thread: any.
 */
#pragma once

#include <stddef.h>

/* Copy and cut, but not in the middle of a UTF-8 sequence. */
void cof_stats_text_copy(char *to, size_t bytes, const char *from);

/* Copy the process's command line, with spaces between its words. */
void cof_stats_text_cmdline(char *to, size_t bytes);

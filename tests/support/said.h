/*
 * said.h - the lines that libcof passed to a host's log()
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SAID_MAX 256

static char said_line[SAID_MAX][160];
static _Atomic unsigned said_lines;

/* For the host's log. */
static inline void said_keep(void *ctx, const char *line)
{
	(void)ctx;
	if (said_lines < SAID_MAX)
		snprintf(said_line[said_lines++], sizeof(*said_line), "%s",
			 line);
}

/* Was there a line that begins with `line`? */
static inline bool said(const char *line)
{
	for (unsigned i = 0; i < said_lines; i++)
		if (strncmp(said_line[i], line, strlen(line)) == 0)
			return true;
	return false;
}

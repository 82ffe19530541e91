/*
 * link_reason.h - why something was not linked, in one line
 */
#pragma once

#include <stddef.h>

/* Of all that was written to `said`, the line that says it; of a command that
 * said nothing, how it ended (waitpid(2)); -1: it was not started. */
void link_reason(int said, int status, char *why, size_t why_bytes);

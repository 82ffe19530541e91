/*
 * handoff.h - what `runtime` tells cof-llvm, behind the environment
 *
 *	arguments     those of the program natively: ps(1), setproctitle() and
 *	              /proc/PID/cmdline see no others
 *	environment   the program's, then one string each: HANDOFF_PREFIX with
 *	              the program's path, with each word of runtime's
 *
 * cof-llvm takes these strings off before anything reads the environment. A
 * program that executes itself hands on the same words (exe/exec_self.h).
 */
#pragma once

#include <stddef.h>
#include <string.h>

/* Without '=': no variable is called so. */
#define HANDOFF_PREFIX "\1cof-handoff:"
#define HANDOFF_PREFIX_BYTES (sizeof(HANDOFF_PREFIX) - 1)

/* The word in a string of the environment; NULL: it is not of the handoff. */
static inline char *handoff_word(char *string)
{
	return strncmp(string, HANDOFF_PREFIX, HANDOFF_PREFIX_BYTES) == 0 ?
	       string + HANDOFF_PREFIX_BYTES : NULL;
}

/* How many strings before NULL. */
static inline size_t handoff_count(char *const list[])
{
	size_t n = 0;

	while (list != NULL && list[n] != NULL)
		n++;
	return n;
}

/*
 * unaudited.h - the environment of a process of the host's own
 *
 * Auditors (LD_AUDIT of ld.so(8)) are the program's business. cof-llvm starts
 * with them only where the dynamic linker was told to reserve room for it
 * (runtime/handoff.h).
 */
#pragma once

#include <stdlib.h>
#include <string.h>

/* The variables but LD_AUDIT: the same array, or a copy. NULL: no memory. */
static inline char **cofl_unaudited(char **envp)
{
	static const char name[] = "LD_AUDIT=";
	size_t n = 0, audited = 0, kept = 0;
	char **copy;

	for (; envp[n] != NULL; n++)
		audited += strncmp(envp[n], name, sizeof(name) - 1) == 0;
	if (audited == 0)
		return envp;
	copy = calloc(n + 1, sizeof(*copy));
	for (size_t i = 0; copy != NULL && i < n; i++)
		if (strncmp(envp[i], name, sizeof(name) - 1) != 0)
			copy[kept++] = envp[i];
	return copy;
}

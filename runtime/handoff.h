/*
 * handoff.h - what `runtime` tells cof-llvm, behind the environment
 *
 *	arguments     those of the program natively: ps(1), setproctitle() and
 *	              /proc/PID/cmdline see no others
 *	environment   the program's, then one string each: HANDOFF_PREFIX with
 *	              the program's path, with each word of runtime's; then, for
 *	              programs that are audited, GLIBC_TUNABLES
 *
 * Where there are auditors (LD_AUDIT of ld.so(8)) the dynamic linker reserves
 * room for thread-local variables before it knows the libraries. The allocator
 * needs more than it reserves. So a tunable asks for more. It stands last, with
 * the user's own tunables, and the last one counts.
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

#define HANDOFF_TUNABLES "GLIBC_TUNABLES="
#define HANDOFF_TUNABLE  "glibc.rtld.optional_static_tls=8192"

/* The value of a variable; `name` ends with '='. NULL: it is not set. */
static inline const char *handoff_value(char *const list[], const char *name)
{
	size_t n = handoff_count(list);

	for (size_t i = 0; i < n; i++)
		if (strncmp(list[i], name, strlen(name)) == 0)
			return list[i] + strlen(name);
	return NULL;
}

/* The bytes of the string with tunables; 0: none is needed. */
static inline size_t handoff_tunables_bytes(char *const list[])
{
	const char *users = handoff_value(list, HANDOFF_TUNABLES);

	if (handoff_value(list, "LD_AUDIT=") == NULL)
		return 0;
	return sizeof(HANDOFF_TUNABLES) + sizeof(HANDOFF_TUNABLE) +
	       (users != NULL ? strlen(users) : 0);
}

static inline void handoff_tunables(char *to, char *const list[])
{
	const char *users = handoff_value(list, HANDOFF_TUNABLES);

	strcpy(to, HANDOFF_TUNABLES);
	if (users != NULL && *users != '\0') {
		strcat(to, users);
		strcat(to, ":");
	}
	strcat(to, HANDOFF_TUNABLE);
}

/*
 * handover.h - what `runtime` tells libcof-preload.so, behind the environment
 *
 *	environment of runtime, unchanged
 *	LD_PRELOAD=LIBRARY[:what the user had], or the other way round
 *	COF_PRELOAD=HOW \1 OPTIONS \1 RUNTIME \1 PROGRAM
 *
 * Of two strings with the name LD_PRELOAD the dynamic linker takes the last
 * one. So the user's own string stays where and what it is, and the program's
 * environment is what is left without the last two strings. Two pointers less
 * are an entry of the auxiliary vector (environment.c).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define HANDOVER_STRINGS 2u

#define HANDOVER_PRELOAD "LD_PRELOAD="
#define HANDOVER_WORDS   "COF_PRELOAD="
#define HANDOVER_BETWEEN '\1'

/* HOW, first: does the program stay under runtime if it executes itself anew?
 * Then none of these, or several. */
#define HANDOVER_EXEC_SELF 's'
#define HANDOVER_EXEC_NO   'n'
#define HANDOVER_LINKED    'l'	/* PROGRAM is what the executable was linked
				 * from */
#define HANDOVER_OFF       'o'	/* libcof takes no part */
#define HANDOVER_FINISH    'f'	/* the program does not begin: build what is
				 * left of earlier runs (process/finish.h) */

static inline size_t handover_count(char *const envp[])
{
	size_t n = 0;

	while (envp != NULL && envp[n] != NULL)
		n++;
	return n;
}

/* The text behind `name`, which ends with '='. NULL: it is another string. */
static inline char *handover_value(char *string, const char *name)
{
	size_t n = strlen(name);

	return strncmp(string, name, n) == 0 ? string + n : NULL;
}

/* That text of the first such string. NULL: there is none. */
static inline char *handover_find(char *const envp[], const char *name)
{
	size_t n = handover_count(envp);

	for (size_t i = 0; i < n; i++)
		if (handover_value(envp[i], name) != NULL)
			return handover_value(envp[i], name);
	return NULL;
}

/* Does the first of the user's libraries end a process in which it is not the
 * first? AddressSanitizer does, by both of its names. */
static inline bool handover_is_first(const char *users)
{
	size_t n = strcspn(users, ": ");
	const char *asan = strstr(users, "asan");

	return asan != NULL && (size_t)(asan - users) < n;
}

/* The two strings for this environment; `libraries` have colons between.
 * first[] and second[] have room for that many bytes. */
static inline size_t handover_first_bytes(char *const envp[],
					  const char *libraries)
{
	const char *users = handover_find(envp, HANDOVER_PRELOAD);

	return sizeof(HANDOVER_PRELOAD) + strlen(libraries) +
	       (users != NULL ? strlen(users) + 1 : 0);
}

static inline void handover_first(char *first, char *const envp[],
				  const char *libraries)
{
	const char *users = handover_find(envp, HANDOVER_PRELOAD);
	char *end = stpcpy(first, HANDOVER_PRELOAD);

	if (users == NULL)
		stpcpy(end, libraries);
	else if (handover_is_first(users))
		stpcpy(stpcpy(stpcpy(end, users), ":"), libraries);
	else
		stpcpy(stpcpy(stpcpy(end, libraries), ":"), users);
}

struct handover_words {
	const char *how;
	const char *options;	/* libcof's, with commas between */
	const char *runtime;	/* the path of `runtime`; "": not known */
	const char *program;	/* as runtime was given it */
};

static inline size_t handover_second_bytes(const struct handover_words *w)
{
	return sizeof(HANDOVER_WORDS) + strlen(w->how) + strlen(w->options) +
	       strlen(w->runtime) + strlen(w->program) + 3;
}

static inline void handover_second(char *second, const struct handover_words *w)
{
	char *end = stpcpy(stpcpy(second, HANDOVER_WORDS), w->how);

	*end++ = HANDOVER_BETWEEN;
	end = stpcpy(end, w->options);
	*end++ = HANDOVER_BETWEEN;
	end = stpcpy(end, w->runtime);
	*end++ = HANDOVER_BETWEEN;
	stpcpy(end, w->program);
}

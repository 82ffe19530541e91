/*
 * environment.c - see environment.h
 *
 *	envp	... | LD_PRELOAD | COF_PRELOAD | NULL | auxiliary vector
 *	then	... | NULL       | AT_IGNORE   , 0    | auxiliary vector
 *
 * Programs look for the auxiliary vector behind the NULL, and libc knows where
 * it was. So it stays where it is, and gets one more entry before it.
 *
 * The strings are the last ones, so that those before them remain in a row:
 * programs write a title over them. Their bytes become zeros, as nothing of a
 * length that the kernel shows, and where the kernel allows it the environment
 * that it shows ends before them.
 */
#include "preload/environment.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/rawcall.h"
#include "preload/handover.h"

static struct environment taken;

/* Room for both strings: the longest that runtime makes. */
static char copies[24576];

/* A copy of the string, which becomes zeros. NULL: there is no room. */
static char *keep(char *string, size_t *used)
{
	size_t n = strlen(string) + 1;
	char *copy = copies + *used;

	if (n > sizeof(copies) - *used)
		return NULL;
	memcpy(copy, string, n);
	memset(string, 0, n);
	*used += n;
	return copy;
}

/* The words, apart: in another copy, since a program that executes itself hands
 * on the whole string. */
static bool read_words(size_t *used)
{
	const char *value = taken.words + sizeof(HANDOVER_WORDS) - 1;
	size_t n = strlen(value) + 1;
	char *copy = copies + *used, *end;

	if (n > sizeof(copies) - *used || value[0] == '\0' ||
	    value[1] != HANDOVER_BETWEEN)
		return false;
	memcpy(copy, value, n);
	*used += n;
	taken.exec_self = *copy == HANDOVER_EXEC_SELF;
	taken.options = copy + 2;
	end = strchr(taken.options, HANDOVER_BETWEEN);
	if (end == NULL)
		return false;
	*end = '\0';
	taken.program = end + 1;
	return true;
}

const struct environment *environment_take(char **envp)
{
	size_t n = handover_count(envp), used = 0;
	char **last, *first;

	if (n < HANDOVER_STRINGS)
		return NULL;
	last = envp + n - HANDOVER_STRINGS;
	if (handover_value(last[0], HANDOVER_PRELOAD) == NULL ||
	    handover_value(last[1], HANDOVER_WORDS) == NULL)
		return NULL;
	first = last[0];
	taken.preload = keep(last[0], &used);
	taken.words = keep(last[1], &used);
	last[0] = NULL;
	last[1] = (char *)AT_IGNORE;
	last[2] = NULL;
	cof_raw6(SYS_prctl, PR_SET_MM, PR_SET_MM_ENV_END, (long)first, 0, 0, 0);
	return taken.preload != NULL && taken.words != NULL &&
	       read_words(&used) ? &taken : NULL;
}

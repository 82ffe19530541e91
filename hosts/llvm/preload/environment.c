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
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/rawcall.h"
#include "preload/handover.h"

static struct environment taken;

/* Room for both strings: the longest that runtime makes. */
static char copies[24576];

/* And for what libcof reads, or what the program needs to be executed once
 * more. What does not fit is as if it were not set. */
static const char *const read_names[] = {
	"COF_", "HOME=", "LD_LIBRARY_PATH=", "XDG_",
};
static char  read_copies[24576];
static char *read_list[64];

/* NULL: there is no room. */
static char *copy(const char *string, char *room, size_t bytes, size_t *used)
{
	size_t n = strlen(string) + 1;
	char *to = room + *used;

	if (n > bytes - *used)
		return NULL;
	memcpy(to, string, n);
	*used += n;
	return to;
}

/* The same; the string becomes zeros. */
static char *keep(char *string, size_t *used)
{
	char *kept = copy(string, copies, sizeof(copies), used);

	if (kept != NULL)
		memset(string, 0, strlen(string) + 1);
	return kept;
}

static bool is_read(const char *string)
{
	for (size_t i = 0; i < sizeof(read_names) / sizeof(*read_names); i++)
		if (strncmp(string, read_names[i], strlen(read_names[i])) == 0)
			return true;
	return false;
}

static void copy_read(char *const envp[])
{
	const size_t most = sizeof(read_list) / sizeof(*read_list) - 1;
	size_t used = 0, n = 0;

	for (; *envp != NULL && n < most; envp++) {
		char *to = !is_read(*envp) ? NULL :
			copy(*envp, read_copies, sizeof(read_copies), &used);

		if (to != NULL)
			read_list[n++] = to;
	}
	taken.read = read_list;
}

/* Ends the word, and returns what is behind it. NULL: nothing is. */
static char *end_word(char *word)
{
	char *end = strchr(word, HANDOVER_BETWEEN);

	if (end != NULL)
		*end++ = '\0';
	return end;
}

/* False: runtime does not write such words. */
static bool read_words(char *words)
{
	char *options = end_word(words);
	char *runtime = options != NULL ? end_word(options) : NULL;
	char *program = runtime != NULL ? end_word(runtime) : NULL;

	if (program == NULL)
		return false;
	taken.how = words;
	taken.exec_self = *words == HANDOVER_EXEC_SELF;
	taken.linked = strchr(words, HANDOVER_LINKED) != NULL;
	taken.off = strchr(words, HANDOVER_OFF) != NULL;
	taken.finish = strchr(words, HANDOVER_FINISH) != NULL;
	taken.options = options;
	taken.runtime = runtime;
	taken.program = program;
	return true;
}

/* The auxiliary vector says what was executed; programs ask for its name. */
static void rename_executable(Elf64_auxv_t *entry)
{
	for (; entry->a_type != AT_NULL; entry++)
		if (entry->a_type == AT_EXECFN)
			entry->a_un.a_val = (uintptr_t)taken.program;
}

/* Without the user's own, which `envp` still has. */
static void read_libraries(char *list, char *const envp[])
{
	const char *users = handover_find(envp, HANDOVER_PRELOAD);
	size_t n = strlen(list);

	taken.libraries = list;
	if (users == NULL || strlen(users) >= n)
		return;
	if (handover_is_first(users))
		taken.libraries = list + strlen(users) + 1;
	else
		list[n - strlen(users) - 1] = '\0';
}

const struct environment *environment_take(char **envp)
{
	size_t n = handover_count(envp), used = 0;
	char **last, *first, *libraries, *words;

	if (n < HANDOVER_STRINGS)
		return NULL;
	last = envp + n - HANDOVER_STRINGS;
	if (handover_value(last[0], HANDOVER_PRELOAD) == NULL ||
	    handover_value(last[1], HANDOVER_WORDS) == NULL)
		return NULL;
	first = last[0];
	libraries = keep(last[0], &used);
	words = keep(last[1], &used);
	last[0] = NULL;
	last[1] = (char *)AT_IGNORE;
	last[2] = NULL;
	cof_raw6(SYS_prctl, PR_SET_MM, PR_SET_MM_ENV_END, (long)first, 0, 0, 0);
	if (libraries == NULL || words == NULL ||
	    !read_words(words + sizeof(HANDOVER_WORDS) - 1))
		return NULL;
	read_libraries(libraries + sizeof(HANDOVER_PRELOAD) - 1, envp);
	copy_read(envp);
	if (taken.linked)
		rename_executable((Elf64_auxv_t *)(last + 1));
	return &taken;
}

/*
 * link_reason.c - see link_reason.h
 *
 * Linkers and clang say several lines. A symbol that nothing defines comes
 * first, then what calls itself an error.
 */
#include "link_reason.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAID_MOST 65536

/* From the mark on, or from behind it. */
static const struct mark {
	const char *text;
	bool        without;
} marks[] = {
	{ "undefined reference to ", false },	/* GNU ld */
	{ "undefined symbol: ", false },	/* lld */
	{ "cannot find ", false },
	{ "fatal error: ", true },
	{ "error: ", true },
	{ "", false },
};

/* What stands behind `mark` in the first line that has it and more. */
static const char *find(char *text, const struct mark *mark)
{
	char *at = text;

	while ((at = strstr(at, mark->text)) != NULL && *at != '\0') {
		char *from = at + (mark->without ? strlen(mark->text) : 0);

		if (*from != '\0' && *from != '\n') {
			from[strcspn(from, "\n")] = '\0';
			return from;
		}
		at = from + 1;
	}
	return NULL;
}

static void make_printable(char *line)
{
	for (; *line != '\0'; line++)
		if (!isprint((unsigned char)*line))
			*line = '?';
}

static void say_end(int status, char *why, size_t why_bytes)
{
	if (status == -1)
		snprintf(why, why_bytes, "cannot be linked: %s",
			 strerror(errno));
	else if (WIFSIGNALED(status))
		snprintf(why, why_bytes, "cannot be linked: signal %d ended "
			 "cof-cc", WTERMSIG(status));
	else
		snprintf(why, why_bytes, "cannot be linked: cof-cc failed and "
			 "said nothing");
}

void link_reason(int said, int status, char *why, size_t why_bytes)
{
	char *text = calloc(1, SAID_MOST);
	const char *line = NULL;

	say_end(status, why, why_bytes);
	if (text == NULL || pread(said, text, SAID_MOST - 1, 0) <= 0) {
		free(text);
		return;
	}
	for (size_t i = 0; line == NULL && i < sizeof(marks) / sizeof(*marks);
	     i++)
		line = find(text, &marks[i]);
	if (line != NULL) {
		snprintf(why, why_bytes, "cannot be linked: %s", line);
		make_printable(why);
	}
	free(text);
}

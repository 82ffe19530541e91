/*
 * strip.c - see strip.h
 */
#include "strip.h"

#include <stdlib.h>
#include <string.h>

#include "response.h"

/* An option of the linker; also -s as the compiler's. */
static enum strip strips(const char *word)
{
	if (strcmp(word, "-s") == 0 || strcmp(word, "--strip-all") == 0 ||
	    strcmp(word, "-strip-all") == 0)
		return STRIP_ALL;
	if (strcmp(word, "-S") == 0 || strcmp(word, "--strip-debug") == 0 ||
	    strcmp(word, "-strip-debug") == 0)
		return STRIP_DEBUG;
	return STRIP_NOTHING;
}

/* The words of "-Wl,WORD,WORD...", but for such options. */
static void take_list(struct words *to, const char *list, enum strip *strip)
{
	char *copy = command_copy_of(list + strlen("-Wl,")), *at = copy, *word;
	char *left = malloc(strlen(list) + 1);

	if (left == NULL)
		command_die("memory");
	strcpy(left, "-Wl");
	while ((word = strsep(&at, ",")) != NULL) {
		enum strip s = strips(word);

		if (s > *strip)
			*strip = s;
		if (s == STRIP_NOTHING)
			strcat(strcat(left, ","), word);
	}
	if (strcmp(left, "-Wl") != 0)
		command_add(to, left);
	else
		free(left);
	/* `to` has it. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
	free(copy);
}

static enum strip take(struct words *to, const struct words *line)
{
	enum strip strip = STRIP_NOTHING, s;

	for (size_t i = 0; i < line->n; i++) {
		const char *word = line->word[i];

		if (strcmp(word, "-o") == 0 && i + 1 < line->n) {
			command_add(to, word);
			command_add(to, line->word[++i]);
		} else if (strcmp(word, "-s") == 0) {
			strip = STRIP_ALL;
		} else if (strncmp(word, "-Wl,", 4) == 0) {
			take_list(to, word, &strip);
		} else if (strcmp(word, "-Xlinker") == 0 && i + 1 < line->n &&
			   (s = strips(line->word[i + 1])) != STRIP_NOTHING) {
			strip = s > strip ? s : strip;
			i++;
		} else {
			command_add(to, word);
		}
	}
	return strip;
}

enum strip strip_take(struct words *to, char *const *argv)
{
	struct words line = { 0 }, left = { 0 };
	enum strip strip = STRIP_NOTHING;

	if (response_expand(&line, argv))
		strip = take(&left, &line);
	if (strip == STRIP_NOTHING)
		command_add_list(to, (const char *const *)argv);
	else
		command_add_list(to, (const char *const *)left.word);
	return strip;
}

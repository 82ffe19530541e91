/*
 * settings.c - options of libcof's, of Mono's, and the program's
 */
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internals.h"

/* No data lies near the code, and of the addresses in reach Mono's code needs the
 * most: what is reserved for data would be in its place. */
#define ALWAYS "data_mb=1"

static bool wrong(const char *what, const char *about)
{
	fprintf(stderr, "runtime: %s%s; see runtime --help\n", what, about);
	return false;
}

static bool add_option(struct cofm_settings *s, const char *option)
{
	size_t used = strlen(s->options), n = strlen(option);

	if (used + n + 2 > sizeof(s->options))
		return wrong("too long: ", option);
	if (used != 0)
		s->options[used++] = ',';
	memcpy(s->options + used, option, n + 1);
	return true;
}

static bool starts(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

/* -O=LIST, --optimize=LIST: they add up. */
static void look_for_optimizations(struct cofm_settings *s, const char *word)
{
	const char *list = starts(word, "-O=") ? word + 3 :
			   starts(word, "--optimize=") ? word + 11 : NULL;
	char *all;

	if (!list)
		return;
	if (asprintf(&all, "%s%s%s", s->optimizations ? s->optimizations : "",
		     s->optimizations ? "," : "", list) < 0)
		return;
	free(s->optimizations);
	s->optimizations = all;
}

/* Options of Mono's come before the program, as `mono` has them: those of
 * MONO_ENV_OPTIONS first. If that is wrong, this ends the process as `mono` does. */
static void add_environment(struct cofm_settings *s, int n_words)
{
	int before = s->argc;

	mono_parse_env_options(&s->argc, &s->argv);
	n_words += s->argc - before;
	for (int i = 1; i < n_words; i++)
		look_for_optimizations(s, s->argv[i]);
}

static bool read_option(struct cofm_settings *s, char *word)
{
	char mode[64];

	if (starts(word, "--mono=")) {
		s->argv[s->argc++] = word + 7;
		return true;
	}
	if (starts(word, "--cof=")) {
		snprintf(mode, sizeof(mode), "mode=%.50s", word + 6);
		return add_option(s, mode);
	}
	if (starts(word, "--cof-options="))
		return add_option(s, word + 14);
	/* Of the other host's. */
	if (starts(word, "--cof-image") || starts(word, "--cof-load") ||
	    starts(word, "--cof-startup"))
		return wrong("not for .NET programs: ", word);
	if (starts(word, "--cof-"))
		return add_option(s, word + 6);
	return wrong("no option ", word);
}

bool cofm_settings_read(struct cofm_settings *s, int argc, char **argv)
{
	int i = 1, n_words;

	memset(s, 0, sizeof(*s));
	strcpy(s->options, ALWAYS);
	s->argv = calloc((size_t)argc + 1, sizeof(*s->argv));
	if (!s->argv)
		return wrong("no memory", "");
	s->argv[s->argc++] = "mono";
	for (; i < argc && starts(argv[i], "--"); i++) {
		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		if (!read_option(s, argv[i]))
			return false;
	}
	if (i >= argc)
		return wrong("no program", "");
	s->program = argv[i];
	n_words = s->argc;
	while (i < argc)
		s->argv[s->argc++] = argv[i++];
	add_environment(s, n_words);
	return true;
}

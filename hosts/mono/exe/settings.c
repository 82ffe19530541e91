/*
 * settings.c - take the command line apart: libcof's options, Mono's, the
 * program
 */
#include "exe/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/internals.h"

/* This host puts no data near the code. Mono's code needs most of the addresses
 * in reach, and a reservation for data would take them from it. Programs cannot
 * name the signal (base/libc_signal.h). */
#define ALWAYS "data_mb=1,signal=32"

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

/* What follows `start` in the word; NULL: it begins otherwise. */
static char *after(char *word, const char *start)
{
	size_t n = strlen(start);

	return strncmp(word, start, n) == 0 ? word + n : NULL;
}

/* -O=LIST, --optimize=LIST: the lists add up. */
static void look_for_optimizations(struct cofm_settings *s, char *word)
{
	const char *list = after(word, "-O=");
	char *all;

	if (!list)
		list = after(word, "--optimize=");
	if (!list)
		return;
	if (asprintf(&all, "%s%s%s", s->optimizations ? s->optimizations : "",
		     s->optimizations ? "," : "", list) < 0)
		return;
	free(s->optimizations);
	s->optimizations = all;
}

/* Mono's options stand before the program, those of MONO_ENV_OPTIONS first, as
 * in `mono`. If that variable is wrong, Mono ends the process here, as `mono`
 * does. */
static void add_environment(struct cofm_settings *s, int n_words)
{
	int before = s->argc;

	mono_parse_env_options(&s->argc, &s->argv);
	n_words += s->argc - before;
	for (int i = 1; i < n_words; i++)
		look_for_optimizations(s, s->argv[i]);
}

enum kind {
	TO_MONO,	/* the value is an option of Mono's */
	MODE,		/* the value is a mode */
	TO_LIBCOF,	/* the value is one option of libcof's or several */
	FRAMES,		/* the value says what becomes of inlined frames */
	NOT_HERE,	/* an option of the other host's */
};

/* The first that begins a word is what the word means. */
static const struct {
	const char *start;	/* the value follows */
	enum kind   kind;
} settings[] = {
	{ "--mono=",        TO_MONO },
	{ "--cof=",         MODE },
	{ "--cof-options=", TO_LIBCOF },
	{ "--cof-frames=",  FRAMES },
	{ "--cof-load",     NOT_HERE },
	{ "--cof-finish",   NOT_HERE },
	{ "--cof-",         TO_LIBCOF },
};

static bool set_frames(struct cofm_settings *s, const char *value)
{
	if (strcmp(value, "keep") == 0)
		s->frames = COFM_FRAMES_KEEP;
	else if (strcmp(value, "inline") == 0)
		s->frames = COFM_FRAMES_INLINE;
	else
		return wrong("--cof-frames is keep or inline, not ", value);
	return true;
}

static bool take(struct cofm_settings *s, enum kind kind, char *word,
		 char *value)
{
	char mode[64];

	switch (kind) {
	case TO_MONO:
		s->argv[s->argc++] = value;
		return true;
	case MODE:
		snprintf(mode, sizeof(mode), "mode=%.50s", value);
		return add_option(s, mode);
	case TO_LIBCOF:
		return add_option(s, value);
	case FRAMES:
		return set_frames(s, value);
	case NOT_HERE:
		break;
	}
	return wrong("not for .NET programs: ", word);
}

static bool read_option(struct cofm_settings *s, char *word)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		char *value = after(word, settings[i].start);

		if (value)
			return take(s, settings[i].kind, word, value);
	}
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
	for (; i < argc && after(argv[i], "--"); i++) {
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

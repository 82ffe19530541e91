/*
 * settings.h - the command line, taken apart
 */
#pragma once

#include <stdbool.h>

/* Option --cof-frames. */
enum cofm_frames {
	COFM_FRAMES_BY_DEBUG,	/* keep with --debug */
	COFM_FRAMES_KEEP,
	COFM_FRAMES_INLINE,
};

struct cofm_settings {
	char        options[4096];	/* for cof_start() */
	const char *program;		/* path */
	enum cofm_frames frames;
	char       *optimizations;	/* Mono's -O; NULL: its default */
	int         argc;		/* for mono_main() */
	char      **argv;
};

/* Keeps pointers to the strings of argv. False: the command line is wrong, and
 * a line on stderr said how. */
bool cofm_settings_read(struct cofm_settings *s, int argc, char **argv);

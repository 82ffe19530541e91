/*
 * place.h - where the files are that belong to `runtime`
 */
#pragma once

#include <limits.h>

enum place {
	PLACE_COF_CC,
	PLACE_MONO,		/* the host for .NET */
	PLACE_PRELOAD,		/* libcof-preload.so */
};

/* In the build that this program lies in, if it lies in one and the file is
 * there; else where it is installed. Thread: any. */
const char *place_of(enum place place, char path[PATH_MAX]);

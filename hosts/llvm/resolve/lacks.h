/*
 * lacks.h - what an executable has no bitcode of
 *
 * The host that stands in for the executable would need it; the executable's
 * own code has it.
 */
#pragma once

#include "resolve/resolution.h"

/* The first call counts. */
void cofl_lacks_note(struct cofl_resolution *resolution, const char *before,
		     const char *name, const char *after);

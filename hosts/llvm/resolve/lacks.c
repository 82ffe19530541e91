/*
 * lacks.c - see lacks.h
 */
#include "resolve/lacks.h"

#include <stdio.h>

void cofl_lacks_note(struct cofl_resolution *r, const char *before,
		     const char *name, const char *after)
{
	if (*r->lacks == '\0')
		snprintf(r->lacks, sizeof(r->lacks), "%s%.200s%s", before, name,
			 after);
}

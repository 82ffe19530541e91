/*
 * check.c - the build, as it says of itself
 */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include <mono/metadata/appdomain.h>

#include "internals.h"

/* Version, and Debian's: a rebuild with another struct has another one. */
#define BUILD "6.8.0.105 (Debian 6.8.0.105+dfsg-3.3"

bool cofm_check(char *why, size_t why_bytes)
{
	char *build = mono_get_runtime_build_info();
	bool known = strncmp(build, BUILD, strlen(BUILD)) == 0;

	if (!known)
		snprintf(why, why_bytes, "Mono is %s, and only %s) is known",
			 build, BUILD);
	mono_free(build);
	return known;
}

/*
 * place.c - see place.h
 */
#include "place.h"

#include <string.h>
#include <unistd.h>

static const struct {
	const char *installed;
	const char *built;	/* from the top folder of a build */
} places[] = {
	[PLACE_COF_CC]  = { BINDIR "/cof-cc", "/cof-cc" },
	[PLACE_MONO]    = { PKGLIBEXECDIR "/cof-mono", "/hosts/mono/cof-mono" },
	[PLACE_PRELOAD] = { PKGLIBDIR "/libcof-preload.so",
			    "/.libs/libcof-preload.so" },
};

const char *place_of(enum place place, char path[PATH_MAX])
{
	static const char here[] = "/runtime/runtime";
	const char *built = places[place].built;
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	size_t top = (size_t)n - (sizeof(here) - 1);

	if (n < (ssize_t)sizeof(here) - 1 ||
	    memcmp(path + top, here, sizeof(here) - 1) != 0 ||
	    top + strlen(built) >= PATH_MAX)
		return places[place].installed;
	strcpy(path + top, built);
	return access(path, R_OK) == 0 ? path : places[place].installed;
}

/*
 * dotnet.c - find cof-mono, and become it
 *
 * A program of its own, and not a library that is loaded here: Mono's code must
 * lie below 2 GiB and its signals must be the only ones.
 */
#include "dotnet.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME "cof-mono"

/* As libtool lays a build out: `runtime` needs a library of it, cof-mono none. */
static const struct { const char *from, *to; } build_tree[] = {
	{ "/runtime/.libs/runtime", "/hosts/mono/" NAME },
	{ "/runtime/runtime", "/hosts/mono/" NAME },
};

bool dotnet_is(const char *program)
{
	char magic[2];
	int fd = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, magic, sizeof(magic)) == sizeof(magic) &&
	     memcmp(magic, "MZ", sizeof(magic)) == 0;
	close(fd);
	return is;
}

/* The path of this program with its end exchanged; false: it ends differently. */
static bool exchange_end(char path[PATH_MAX], const char *from, const char *to)
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	size_t end = strlen(from);

	if (n < (ssize_t)end || (size_t)n - end + strlen(to) >= PATH_MAX ||
	    memcmp(path + n - end, from, end) != 0)
		return false;
	strcpy(path + n - end, to);
	return true;
}

void dotnet_become(const char *program, char **argv)
{
	static const char installed[] = PKGLIBEXECDIR "/" NAME;
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(build_tree) / sizeof(*build_tree); i++)
		if (exchange_end(path, build_tree[i].from, build_tree[i].to))
			execv(path, argv);
	execv(installed, argv);
	if (errno == ENOENT)
		fprintf(stderr, "runtime: %s: a .NET program, and libcof was "
			"built without the host for those (no %s)\n", program,
			installed);
	else
		fprintf(stderr, "runtime: %s: %s: %s\n", program, installed,
			strerror(errno));
}

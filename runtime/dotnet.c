/*
 * dotnet.c - see dotnet.h
 *
 * The host is a program of its own and not a library that is loaded here:
 * Mono's code must lie below 2 GiB, and no handlers but its own may take its
 * signals.
 */
#include "dotnet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "place.h"

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

void dotnet_execute(char **argv, const char *program)
{
	char built[PATH_MAX];
	const char *host = place_of(PLACE_MONO, built);

	execv(host, argv);
	if (errno == ENOENT)
		fprintf(stderr, "runtime: %s: a .NET program, and libcof was "
			"built without the host for that (no %s)\n", program,
			host);
	else
		fprintf(stderr, "runtime: %s: %s: %s\n", program, host,
			strerror(errno));
}

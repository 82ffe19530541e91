/*
 * host.c - find a host's program, and become it
 *
 * Each host is a program of its own and not a library that is loaded here. So
 * neither host's libraries are in the other's process. Also, Mono's code must
 * lie below 2 GiB, and no handlers but its own may take its signals.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "handoff.h"

static const struct {
	const char *installed;
	const char *built;	/* from the top folder of a build */
	const char *for_what;
} hosts[] = {
	[HOST_LLVM] = { PKGLIBEXECDIR "/cof-llvm", "/hosts/llvm/cof-llvm",
			"LLVM bitcode" },
	[HOST_MONO] = { PKGLIBEXECDIR "/cof-mono", "/hosts/mono/cof-mono",
			"a .NET program" },
};

enum host host_for(const char *program)
{
	char magic[2];
	int fd = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_dotnet;

	if (fd < 0)
		return HOST_LLVM;
	is_dotnet = read(fd, magic, sizeof(magic)) == sizeof(magic) &&
		    memcmp(magic, "MZ", sizeof(magic)) == 0;
	close(fd);
	return is_dotnet ? HOST_MONO : HOST_LLVM;
}

/* The host's program in the build that this program lies in. False: it lies in
 * none. */
static bool find_built(enum host host, char path[PATH_MAX])
{
	static const char here[] = "/runtime/runtime";
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	size_t top = (size_t)n - (sizeof(here) - 1);

	if (n < (ssize_t)sizeof(here) - 1 ||
	    memcmp(path + top, here, sizeof(here) - 1) != 0 ||
	    top + strlen(hosts[host].built) >= PATH_MAX)
		return false;
	strcpy(path + top, hosts[host].built);
	return true;
}

/* The name that `word` gives the program; NULL: it is another word. */
static char *name_in(char *word)
{
	static const char option[] = "--cof-argv0=";
	const size_t bytes = sizeof(option) - 1;

	return strncmp(word, option, bytes) == 0 ? word + bytes : NULL;
}

/* The environment with the words of the command line that stand before the
 * program, but for its name. NULL: no memory. */
static char **with_words(char **argv, char **program)
{
	size_t n = handoff_count(environ), words = (size_t)(program - argv);
	char **envp = calloc(n + words + 2, sizeof(*envp));
	size_t bytes = handoff_tunables_bytes(environ);

	if (envp == NULL)
		return NULL;
	memcpy(envp, environ, n * sizeof(*envp));
	for (size_t i = 0; i < words; i++) {
		if (i > 0 && name_in(argv[i]) != NULL)
			continue;
		if (asprintf(&envp[n++], HANDOFF_PREFIX "%s",
			     i == 0 ? *program : argv[i]) < 0) {
			free(envp);
			return NULL;
		}
	}
	if (bytes == 0)
		return envp;
	envp[n] = malloc(bytes);
	if (envp[n] == NULL) {
		free(envp);
		return NULL;
	}
	handoff_tunables(envp[n], environ);
	return envp;
}

/* Give the program the name that the last such word says. */
static void rename_program(char **argv, char **program)
{
	char *name = *program;

	for (char **word = argv + 1; word < program; word++)
		if (name_in(*word) != NULL)
			name = name_in(*word);
	*program = name;
}

void host_become(enum host host, char **argv, char **program)
{
	const char *installed = hosts[host].installed, *file = *program;
	char path[PATH_MAX], **envp = environ;

	if (host == HOST_LLVM) {
		envp = with_words(argv, program);
		rename_program(argv, program);
		argv = program;
	}
	if (envp == NULL) {
		fprintf(stderr, "runtime: %s: no memory\n", file);
		return;
	}
	if (find_built(host, path))
		execve(path, argv, envp);
	execve(installed, argv, envp);
	if (errno == ENOENT)
		fprintf(stderr, "runtime: %s: %s, and libcof was built without "
			"the host for that (no %s)\n", file,
			hosts[host].for_what, installed);
	else
		fprintf(stderr, "runtime: %s: %s: %s\n", file, installed,
			strerror(errno));
	if (envp != environ)
		free(envp);
}

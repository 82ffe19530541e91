/*
 * bitcode_link.c - the command, its process, and what it says; see
 * bitcode_link.h
 *
 * Bitcode and messages are in files without a name. clang reads the former
 * through /proc: what was hashed is what is linked, and no name of a file is
 * taken for an option.
 */
#include "bitcode_link.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "link_reason.h"
#include "place.h"
#include "support/cache_dir.h"
#include "support/linked_tail.h"
#include "support/tuning.h"

#define LOADS_MOST 64

/* -- Files ----------------------------------------------------------------- */

/* The folder for what is linked, and the file; "": there is none. Handlers
 * read them. */
static char folder[PATH_MAX], output[PATH_MAX + 8];

static void remove_output(void)
{
	if (*folder == '\0')
		return;
	unlink(output);
	rmdir(folder);
	*folder = '\0';
}

static bool make_folder(void)
{
	const char *in = getenv("TMPDIR");
	int n = snprintf(folder, sizeof(folder), "%s/cof-link.XXXXXX",
			 in != NULL && *in != '\0' ? in : "/tmp");

	if (n < 0 || (size_t)n >= sizeof(folder)) {
		*folder = '\0';
		errno = ENAMETOOLONG;
		return false;
	}
	if (mkdtemp(folder) == NULL) {
		*folder = '\0';
		return false;
	}
	snprintf(output, sizeof(output), "%s/program", folder);
	return true;
}

/* A file without a name; not one of the standard streams, which the command
 * has others for. -1: `errno` has the reason. */
static int nameless(const char *what)
{
	int fd = memfd_create(what, MFD_CLOEXEC), above;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return above;
}

/* -- Signals --------------------------------------------------------------- */

/* Those that a user, or a file size limit, ends the process by. */
static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
#define N_ENDING (sizeof(ending) / sizeof(*ending))

static void on_end(int sig)
{
	remove_output();
	signal(sig, SIG_DFL);
	raise(sig);
}

struct actions {
	struct sigaction ending[N_ENDING], child, too_large;
};

static void set_actions(struct actions *before)
{
	struct sigaction act = { .sa_handler = on_end };

	for (size_t i = 0; i < N_ENDING; i++) {
		sigaction(ending[i], NULL, &before->ending[i]);
		if (before->ending[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &act, NULL);
	}
	act.sa_handler = SIG_DFL;	/* else the command leaves no status */
	sigaction(SIGCHLD, &act, &before->child);
	act.sa_handler = SIG_IGN;	/* a write fails instead */
	sigaction(SIGXFSZ, &act, &before->too_large);
}

static void reset_actions(const struct actions *before)
{
	for (size_t i = 0; i < N_ENDING; i++)
		sigaction(ending[i], &before->ending[i], NULL);
	sigaction(SIGCHLD, &before->child, NULL);
	sigaction(SIGXFSZ, &before->too_large, NULL);
}

/* -- The command ----------------------------------------------------------- */

static void limit(int resource, uint64_t most)
{
	struct rlimit now;

	if (getrlimit(resource, &now) != 0 || most >= now.rlim_max)
		return;
	now.rlim_cur = now.rlim_max = most;
	setrlimit(resource, &now);
}

/* What the user has for the program is not for compilers. */
static void set_environment(void)
{
	unsetenv("LD_PRELOAD");
	unsetenv("LD_AUDIT");
	unsetenv("COF_OPTIONS");
	setenv("LC_ALL", "C", 1);
}

/* The libraries, as words for the linker: those with a folder by their path,
 * others by the name that they have in the linker's folders. */
static size_t add_loads(char **word, char *loads)
{
	size_t n = 0;

	for (char *at = strtok(loads, ":"); at != NULL && n < LOADS_MOST;
	     at = strtok(NULL, ":")) {
		char *named;

		word[n] = at;
		if (strchr(at, '/') == NULL &&
		    asprintf(&named, "-l:%s", at) > 0)
			word[n] = named;
		n++;
	}
	return n;
}

__attribute__((noreturn))
static void become(const char *cof_cc, int bitcode, size_t n_bitcode,
		   char *loads, int said)
{
	char from[32], *word[32 + LOADS_MOST];
	static const char *const before[] = {
		"cof-cc", "-O2", "-Xclang", "-disable-llvm-passes",
		"-fno-crash-diagnostics", "-Wno-override-module", "-x", "ir",
	};
	static const char *const libraries[] = {
		"-x", "none", "-rdynamic", "-Wl,--as-needed", "-lm", "-lstdc++",
	};
	int none = open("/dev/null", O_RDWR | O_CLOEXEC);
	size_t n = 0;

	snprintf(from, sizeof(from), "/proc/self/fd/%d", bitcode);
	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		word[n++] = (char *)(uintptr_t)before[i];
	word[n++] = from;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		word[n++] = (char *)(uintptr_t)libraries[i];
	n += add_loads(word + n, loads);
	word[n++] = (char *)"-o";
	word[n++] = output;
	word[n] = NULL;
	fcntl(bitcode, F_SETFD, 0);
	dup2(none, STDIN_FILENO);
	dup2(none, STDOUT_FILENO);
	dup2(said, STDERR_FILENO);
	signal(SIGXFSZ, SIG_DFL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_DATA, (COFL_TUNE(link_mb) << 20) +
			   COFL_TUNE(link_times) * n_bitcode);
	limit(RLIMIT_CPU, COFL_TUNE(link_s) +
			  (COFL_TUNE(link_s_for_mb) * n_bitcode >> 20));
	set_environment();
	execv(cof_cc, word);
	dprintf(STDERR_FILENO, "error: %s: %s\n", cof_cc, strerror(errno));
	_exit(1);
}

/* Its wait status; -1: it cannot be started. */
static int run(int bitcode, size_t n, const char *loads, int said)
{
	char path[PATH_MAX];
	const char *cof_cc = place_of(PLACE_COF_CC, path);
	char *words = strdup(loads);
	int status;
	pid_t pid;

	pid = words != NULL ? fork() : -1;
	if (pid == 0)
		become(cof_cc, bitcode, n, words, said);
	free(words);
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			pid = -1;
	return pid > 0 ? status : -1;
}

/* -1: `why` has the reason. */
static int link_named(int bitcode, size_t n, const char *loads,
		      const uint8_t key[COF_HASH_BYTES],
		      const uint8_t hash[COF_HASH_BYTES], int said, char *why,
		      size_t why_bytes)
{
	int fd = -1, status;

	if (!make_folder()) {
		snprintf(why, why_bytes, "cannot be linked: no folder for "
			 "what is linked: %s", strerror(errno));
		return -1;
	}
	status = run(bitcode, n, loads, said);
	if (status == 0) {
		/* Without a tail it runs as well, and is not kept. */
		cofl_linked_tail_append(output, key, hash);
		fd = open(output, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0)
		link_reason(said, status, why, why_bytes);
	remove_output();
	return fd;
}

int bitcode_link(const void *bitcode, size_t n, const char *loads,
		 const uint8_t key[COF_HASH_BYTES],
		 const uint8_t hash[COF_HASH_BYTES], char *why,
		 size_t why_bytes)
{
	int from = nameless("bitcode"), said = nameless("messages"), fd = -1;
	struct actions before;

	set_actions(&before);
	if (from < 0 || said < 0 || !cofl_cache_dir_write(from, bitcode, n))
		snprintf(why, why_bytes, "cannot be linked: %s",
			 strerror(errno));
	else
		fd = link_named(from, n, loads, key, hash, said, why,
				why_bytes);
	reset_actions(&before);
	if (from >= 0)
		close(from);
	if (said >= 0)
		close(said);
	return fd;
}

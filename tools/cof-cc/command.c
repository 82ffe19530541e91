/*
 * command.c - run other programs; a folder for files between them
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

extern char **environ;

const char *command_me = "cof-cc";

static char scratch[PATH_MAX];	/* the folder; "": not made yet */

void command_die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", command_me, what, strerror(errno));
	exit(STATUS_FAILED);
}

char *command_copy_of(const char *s)
{
	char *copy = strdup(s);

	if (copy == NULL)
		command_die("memory");
	return copy;
}

void command_add(struct words *to, const char *word)
{
	if (to->n + 1 >= to->room) {
		to->room = to->room ? 2 * to->room : 64;
		to->word = realloc(to->word, to->room * sizeof(*to->word));
		if (to->word == NULL)
			command_die("memory");
	}
	to->word[to->n++] = (char *)(uintptr_t)word;
	to->word[to->n] = NULL;
}

void command_add_list(struct words *to, const char *const *words)
{
	while (*words != NULL)
		command_add(to, *words++);
}

void command_add_all(struct words *to, const struct words *from)
{
	for (size_t i = 0; i < from->n; i++)
		command_add(to, from->word[i]);
}

int command_run(const struct words *command, bool quiet)
{
	posix_spawn_file_actions_t files;
	pid_t pid;
	int status, err;

	posix_spawn_file_actions_init(&files);
	if (quiet)
		posix_spawn_file_actions_addopen(&files, 2, "/dev/null",
						 O_WRONLY, 0);
	err = posix_spawnp(&pid, command->word[0], &files, NULL, command->word,
			   environ);
	posix_spawn_file_actions_destroy(&files);
	if (err != 0) {
		errno = err;
		command_die(command->word[0]);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			command_die("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_FAILED;
}

/* Does the child end in time? It is the only child, and SIGCHLD is blocked. */
static bool ends_within(pid_t pid, int seconds)
{
	struct timespec now, until;
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += seconds;
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec >= until.tv_sec)
			return false;
		sigtimedwait(&child, NULL, &(struct timespec){
			.tv_sec = until.tv_sec - now.tv_sec });
	}
	return true;
}

bool command_run_aside(const struct words *command, int seconds)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t child, before;
	bool ended = true;
	pid_t pid;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&files, 0, 1);
	posix_spawn_file_actions_adddup2(&files, 0, 2);
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID |
					POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &before);
	if (posix_spawnp(&pid, command->word[0], &files, &attr, command->word,
			 environ) == 0) {
		if (seconds < 0)
			waitpid(pid, NULL, 0);
		else
			ended = ends_within(pid, seconds);
		if (!ended)
			setpriority(PRIO_PROCESS, (id_t)pid, 10);
	}
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ended;
}

const char *command_env(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : otherwise;
}

static void remove_scratch(void)
{
	static const char *const names[] = { "bc", "joined" };
	char path[PATH_MAX + 32];

	if (*scratch == '\0')
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", scratch, names[i]);
		unlink(path);
	}
	for (unsigned i = 0;; i++) {
		snprintf(path, sizeof(path), "%s/%u.o", scratch, i);
		if (unlink(path) != 0)
			break;
	}
	rmdir(scratch);
}

static void make_scratch(void)
{
	const char *dir = command_env("TMPDIR", "/tmp");

	if (*scratch != '\0')
		return;
	if (snprintf(scratch, sizeof(scratch), "%s/cof-cc.XXXXXX", dir) >=
	    (int)sizeof(scratch) || mkdtemp(scratch) == NULL) {
		*scratch = '\0';
		command_die(dir);
	}
	atexit(remove_scratch);
}

char *command_scratch(const char *name)
{
	char path[PATH_MAX + 32];

	make_scratch();
	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	return command_copy_of(path);
}

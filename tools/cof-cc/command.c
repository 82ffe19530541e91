/*
 * command.c - see command.h
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

extern char **environ;

const char *command_me = "cof-cc";
int command_failed = STATUS_FAILED;

static char scratch[2][PATH_MAX];	/* the files; "": not made yet */

void command_die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", command_me, what, strerror(errno));
	exit(command_failed);
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

static int run(const struct words *command,
	       const posix_spawn_file_actions_t *files)
{
	int status, err;
	pid_t pid;

	err = posix_spawnp(&pid, command->word[0], files, NULL, command->word,
			   environ);
	if (err != 0) {
		errno = err;
		command_die(command->word[0]);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			command_die("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_FAILED;
}

int command_run(const struct words *command)
{
	return run(command, NULL);
}

int command_run_noted(const struct words *command, const char *to)
{
	posix_spawn_file_actions_t files;
	int status;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, to,
					 O_WRONLY | O_TRUNC, 0);
	status = run(command, &files);
	posix_spawn_file_actions_destroy(&files);
	return status;
}

void command_run_aside(const struct words *command, bool wait)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&files, 0, 1);
	posix_spawn_file_actions_adddup2(&files, 0, 2);
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID);
	if (posix_spawnp(&pid, command->word[0], &files, &attr, command->word,
			 environ) == 0 && wait)
		waitpid(pid, NULL, 0);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
}

const char *command_env(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : otherwise;
}

static void remove_scratch(void)
{
	for (int i = 0; i < 2; i++)
		if (*scratch[i] != '\0')
			unlink(scratch[i]);
}

static const char *make_scratch(char path[PATH_MAX])
{
	static bool registered;
	const char *dir = command_env("TMPDIR", "/tmp");
	int fd = -1;

	if (*path != '\0')
		return path;
	if (snprintf(path, PATH_MAX, "%s/cof-cc.XXXXXX", dir) < PATH_MAX)
		fd = mkstemp(path);
	if (fd < 0) {
		*path = '\0';
		command_die(dir);
	}
	close(fd);
	if (!registered)
		atexit(remove_scratch);
	registered = true;
	return path;
}

const char *command_scratch(void)
{
	return make_scratch(scratch[0]);
}

const char *command_scratch_2(void)
{
	return make_scratch(scratch[1]);
}

char *command_read_file(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	ssize_t n;

	if (f == NULL)
		return NULL;
	n = getdelim(&text, &room, '\0', f);
	if (n < 0 && feof(f) && !ferror(f)) {	/* it is empty */
		free(text);
		text = command_copy_of("");
	} else if (n < 0) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

/*
 * bitcode_check.c - see bitcode_check.h
 *
 *	program --fork, execve--> cof-llvm --cof-image=check
 *	        <--- the key of what was checked, or what is wrong with it
 *
 * A process that says nothing has crashed, or was ended by a limit.
 */
#include "program/bitcode_check.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image/image_cache.h"
#include "program/bitcode_file.h"
#include "program/module.h"
#include "support/fatal.h"
#include "support/tuning.h"
#include "support/unaudited.h"

extern char **environ;

#define KEY_DIGITS (2 * COFL_HASH_BYTES)

static void write_key(const uint8_t key[COFL_HASH_BYTES],
		      char text[KEY_DIGITS + 1])
{
	for (size_t i = 0; i < COFL_HASH_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", key[i]);
}

/* -- The program ----------------------------------------------------------- */

static int spawn(pid_t *pid, const char *path, int answer)
{
	char *argv[] = { "runtime", "--cof-image=check", "--",
			 (char *)(uintptr_t)path, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all, none;
	int err;

	sigfillset(&all);
	sigemptyset(&none);
	if (posix_spawn_file_actions_init(&files) != 0)
		return -1;
	if (posix_spawnattr_init(&attr) != 0) {
		posix_spawn_file_actions_destroy(&files);
		return -1;
	}
	posix_spawn_file_actions_adddup2(&files, answer, 1);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&files, 0, 2);
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF |
					POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	/* cof-llvm, not the program (exe/proc_self_exe.h). */
	err = posix_spawn(pid, "/proc/self/./exe", &files, &attr, argv,
			  cofl_unaudited(environ));
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return err;
}

/* All that the process says before it ends, as a string. */
static void read_answer(int fd, char *text, size_t bytes)
{
	size_t n = 0;
	ssize_t got;

	while (n < bytes - 1) {
		got = read(fd, text + n, bytes - 1 - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	text[n] = '\0';
}

/* Ask another process. False: none could be started. */
static bool ask(const char *path, char *answer, size_t bytes)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return false;
	if (spawn(&pid, path, fds[1]) != 0) {
		close(fds[0]);
		close(fds[1]);
		return false;
	}
	close(fds[1]);
	read_answer(fds[0], answer, bytes);
	close(fds[0]);
	/* If SIGCHLD is ignored, there is no status to be had. */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	return true;
}

bool cofl_bitcode_check(const char *path, const uint8_t key[COFL_HASH_BYTES],
			char *why, size_t why_bytes)
{
	char answer[256], expected[KEY_DIGITS + 1];

	if (cofl_image_cache_has_run(key) ||
	    !ask(path, answer, sizeof(answer)))
		return true;
	write_key(key, expected);
	if (strcmp(answer, expected) == 0) {
		cofl_image_cache_note_run(key);
		return true;
	}
	snprintf(why, why_bytes, "%s", *answer ? answer : "damaged bitcode");
	return false;
}

/* -- The other process ----------------------------------------------------- */

static void limit(int resource, rlim_t most)
{
	struct rlimit now;

	if (getrlimit(resource, &now) != 0 || most >= now.rlim_max)
		return;
	now.rlim_cur = now.rlim_max = most;
	setrlimit(resource, &now);
}

int cofl_bitcode_check_run(const char *path)
{
	char why[256] = "", text[KEY_DIGITS + 1];
	const struct cofl_module *module;
	uint8_t key[COFL_HASH_BYTES];
	struct cofl_bitcode_file file;
	bool good;

	cofl_fatal_init(path);
	if (!cofl_bitcode_file_open(&file, path, why, sizeof(why))) {
		fputs(why, stdout);
		return 1;
	}
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_DATA, ((rlim_t)COFL_TUNE(check_mb) << 20) +
			   COFL_TUNE(check_times) * file.n_bytes);
	limit(RLIMIT_CPU, (rlim_t)COFL_TUNE(check_s) +
			  (COFL_TUNE(check_s_for_mb) * file.n_bytes >> 20));
	module = cofl_module_load(why, sizeof(why));
	cofl_fatal_guard_begin("damaged bitcode");
	good = module != NULL &&
	       module->check(file.bitcode, file.n_bitcode, why, sizeof(why));
	cofl_fatal_guard_end();
	cofl_code_key(file.hash, key);
	write_key(key, text);
	fputs(good ? text : why, stdout);
	return good ? 0 : 1;
}

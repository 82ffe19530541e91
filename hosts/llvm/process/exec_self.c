/*
 * exec_self.c - the exec family and posix_spawn(3); see exec_self.h
 *
 * In the child of a vfork(2) these functions write to their own stack only, and
 * take back what they map.
 */
#include "process/exec_self.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/executable.h"
#include "preload/handover.h"
#include "preload/rtld_next.h"

#define LINK "/proc/self/exe"

/* NULL: nothing is handed on. */
static const struct environment *handed;

/* The link's path as the program began. Later there is no room for it: on the
 * stack of a handler. */
static char linked_to[PATH_MAX];

void exec_self_init(const struct environment *env)
{
	if (!env->exec_self)
		return;
	if (readlink(LINK, linked_to, sizeof(linked_to) - 1) < 0)
		linked_to[0] = '\0';
	handed = env;
}

void exec_self_forgo(void)
{
	handed = NULL;
}

/* -- Is it the program? ---------------------------------------------------- */

static bool is_named_so(const char *path)
{
	struct stat a, b;

	return strcmp(path, LINK) == 0 || strcmp(path, handed->program) == 0 ||
	       strcmp(path, linked_to) == 0 ||
	       (stat(path, &a) == 0 && stat(LINK, &b) == 0 &&
		a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static bool is_self(const char *path)
{
	int error = errno;
	char why[80];
	bool is = path != NULL && handed != NULL && is_named_so(path) &&
		  faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 &&
		  executable_has_addresses(path, why, sizeof(why));

	errno = error;
	return is;
}

/* -- Executing it ---------------------------------------------------------- */

/* with[] has room for envp, both strings and NULL. */
#define HAND_ON(with, path, envp) \
	size_t n_##with = handover_count(envp); \
	char *with[n_##with + HANDOVER_STRINGS + 1]; \
	char first_##with[handover_first_bytes(envp, handed->libraries)]; \
	const struct handover_words words_##with = { \
		handed->how, handed->options, handed->runtime, \
		handed->linked ? handed->program : path, \
	}; \
	char second_##with[handover_second_bytes(&words_##with)]; \
	handover_first(first_##with, envp, handed->libraries); \
	handover_second(second_##with, &words_##with); \
	for (size_t i = 0; i < n_##with; i++) \
		with[i] = envp[i]; \
	with[n_##with] = first_##with; \
	with[n_##with + 1] = second_##with; \
	with[n_##with + 2] = NULL

static int start(const char *path, char *const argv[], char *const envp[])
{
	return (int)syscall(SYS_execve, path, argv, envp);
}

static int start_self(const char *path, char *const argv[],
		      char *const envp[])
{
	HAND_ON(with, path, envp);
	return start(path, argv, with);
}

STAND_IN int execve(const char *path, char *const argv[], char *const envp[])
{
	if (is_self(path) && (start_self(path, argv, envp) == 0 ||
			      errno != E2BIG))
		return -1;
	return start(path, argv, envp);
}

STAND_IN int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

/* Not a name that is looked up in PATH. */
static bool is_path(const char *file)
{
	return file != NULL && strchr(file, '/') != NULL && is_self(file);
}

STAND_IN int execvp(const char *file, char *const argv[])
{
	return is_path(file) ? execv(file, argv) : rtld_next.execvp(file, argv);
}

STAND_IN int execvpe(const char *file, char *const argv[], char *const envp[])
{
	return is_path(file) ? execve(file, argv, envp) :
			       rtld_next.execvpe(file, argv, envp);
}

/* The arguments from `arg` to NULL as argv[] in this frame. `more` is then
 * behind them. */
#define LISTED(argv, arg, more) \
	size_t n_##argv = 1; \
	va_start(more, arg); \
	while (va_arg(more, const char *) != NULL) \
		n_##argv++; \
	va_end(more); \
	char *argv[n_##argv + 1]; \
	argv[0] = (char *)arg; \
	va_start(more, arg); \
	for (size_t i = 1; i <= n_##argv; i++) \
		argv[i] = va_arg(more, char *)

STAND_IN int execl(const char *path, const char *arg, ...)
{
	va_list more;

	LISTED(argv, arg, more);
	va_end(more);
	return execve(path, argv, environ);
}

STAND_IN int execlp(const char *file, const char *arg, ...)
{
	va_list more;

	LISTED(argv, arg, more);
	va_end(more);
	return execvp(file, argv);
}

STAND_IN int execle(const char *path, const char *arg, ...)
{
	char **envp;
	va_list more;

	LISTED(argv, arg, more);
	envp = va_arg(more, char **);
	va_end(more);
	return execve(path, argv, envp);
}

typedef int spawn_fn(pid_t *, const char *, const posix_spawn_file_actions_t *,
		     const posix_spawnattr_t *, char *const [], char *const []);

static int spawn_self(spawn_fn *libcs, pid_t *pid, const char *path,
		      const posix_spawn_file_actions_t *actions,
		      const posix_spawnattr_t *attr, char *const argv[],
		      char *const envp[])
{
	HAND_ON(with, path, envp);
	return libcs(pid, path, actions, attr, argv, with);
}

static int spawn(spawn_fn *libcs, pid_t *pid, const char *path,
		 const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attr, char *const argv[],
		 char *const envp[])
{
	int err = E2BIG;

	/* The actions may go to another folder first. */
	if (is_path(path) && (actions == NULL || path[0] == '/'))
		err = spawn_self(libcs, pid, path, actions, attr, argv, envp);
	return err != E2BIG ? err :
	       libcs(pid, path, actions, attr, argv, envp);
}

STAND_IN int posix_spawn(pid_t *pid, const char *path,
			 const posix_spawn_file_actions_t *actions,
			 const posix_spawnattr_t *attr, char *const argv[],
			 char *const envp[])
{
	return spawn(rtld_next.posix_spawn, pid, path, actions, attr, argv,
		     envp);
}

STAND_IN int posix_spawnp(pid_t *pid, const char *file,
			  const posix_spawn_file_actions_t *actions,
			  const posix_spawnattr_t *attr, char *const argv[],
			  char *const envp[])
{
	return spawn(rtld_next.posix_spawnp, pid, file, actions, attr, argv,
		     envp);
}

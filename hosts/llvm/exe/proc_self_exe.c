/*
 * proc_self_exe.c - read the link, and execute it; see proc_self_exe.h
 *
 * Other paths go to libc's functions. In the child of a vfork(2) the functions
 * of the exec family write to their own stack only.
 */
#include "exe/proc_self_exe.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exe/rtld_next.h"

#define API __attribute__((visibility("default")))

/* Set before the program begins. */
static char        own[PATH_MAX];	/* the path; empty: not set yet */
static const char *as_named;		/* on the command line */
static bool        is_executable;	/* by the kernel: not raw bitcode */

static bool is_elf(const char *path)
{
	char magic[SELFMAG];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = fd >= 0 && read(fd, magic, SELFMAG) == SELFMAG &&
		  memcmp(magic, ELFMAG, SELFMAG) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

void proc_self_exe_set(const char *program)
{
	as_named = program;
	is_executable = is_elf(program);
	if (realpath(program, own) == NULL)
		own[0] = '\0';
}

/* Is it the link? */
static bool is_link(const char *path)
{
	char by_pid[32];

	if (own[0] == '\0' || path == NULL || strncmp(path, "/proc/", 6) != 0)
		return false;
	if (strcmp(path, "/proc/self/exe") == 0 ||
	    strcmp(path, "/proc/thread-self/exe") == 0)
		return true;
	snprintf(by_pid, sizeof(by_pid), "/proc/%d/exe", (int)getpid());
	return strcmp(path, by_pid) == 0;
}

/* -- Reading the link ------------------------------------------------------ */

static ssize_t put(char *to, size_t bytes)
{
	size_t n = strlen(own);

	if (n > bytes)
		n = bytes;
	/* As readlink(2). NOLINTNEXTLINE(bugprone-not-null-terminated-*) */
	memcpy(to, own, n);
	return (ssize_t)n;
}

API ssize_t readlinkat(int dir, const char *restrict path, char *restrict to,
		       size_t bytes)
{
	return bytes > 0 && is_link(path) ? put(to, bytes) :
	       syscall(SYS_readlinkat, dir, path, to, bytes);
}

API ssize_t readlink(const char *restrict path, char *restrict to, size_t bytes)
{
	return readlinkat(AT_FDCWD, path, to, bytes);
}

/* -D_FORTIFY_SOURCE calls these; `room` is the size of the buffer. */
ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room);
ssize_t __readlinkat_chk(int dir, const char *path, char *to, size_t bytes,
			 size_t room);
char   *__realpath_chk(const char *path, char *to, size_t room);
_Noreturn void __chk_fail(void);

API ssize_t __readlink_chk(const char *path, char *to, size_t bytes,
			   size_t room)
{
	return __readlinkat_chk(AT_FDCWD, path, to, bytes, room);
}

API ssize_t __readlinkat_chk(int dir, const char *path, char *to, size_t bytes,
			     size_t room)
{
	if (bytes > room)
		__chk_fail();
	return readlinkat(dir, path, to, bytes);
}

/* -- The path it leads to -------------------------------------------------- */

typedef char *real_fn(const char *, char *);

API char *realpath(const char *restrict path, char *restrict to)
{
	static void *_Atomic known;

	return ((real_fn *)next_of(&known, "realpath"))(
		is_link(path) ? own : path, to);
}

API char *__realpath_chk(const char *path, char *to, size_t room)
{
	if (room < PATH_MAX)
		__chk_fail();
	return realpath(path, to);
}

API char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}

typedef unsigned long auxv_fn(unsigned long);

API unsigned long getauxval(unsigned long type)
{
	static void *_Atomic known;

	if (type == AT_EXECFN && as_named != NULL)
		return (unsigned long)as_named;
	return ((auxv_fn *)next_of(&known, "getauxval"))(type);
}

/* -- Executing it ---------------------------------------------------------- */

static int start(const char *path, char *const argv[], char *const envp[])
{
	return (int)syscall(SYS_execve, path, argv, envp);
}

/* For a bitcode file cof-llvm is executed, with the file after its own options:
 * with[] has count() + 4 elements. */
static size_t count(char *const argv[])
{
	size_t n = 0;

	while (argv != NULL && argv[n] != NULL)
		n++;
	return n;
}

static void insert(char **with, char *const argv[], size_t n)
{
	with[0] = n > 0 ? argv[0] : own;
	with[1] = (char *)"--";
	with[2] = own;
	for (size_t i = 1; i < n; i++)
		with[i + 2] = argv[i];
	with[n > 0 ? n + 2 : 3] = NULL;
}

static int start_bitcode(char *const argv[], char *const envp[])
{
	size_t n = count(argv);
	char *with[n + 4];

	insert(with, argv, n);
	return start("/proc/self/exe", with, envp);
}

API int execve(const char *path, char *const argv[], char *const envp[])
{
	if (!is_link(path))
		return start(path, argv, envp);
	return is_executable ? start(own, argv, envp) :
			       start_bitcode(argv, envp);
}

API int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

typedef int search_fn(const char *, char *const []);
typedef int search_env_fn(const char *, char *const [], char *const []);

API int execvp(const char *file, char *const argv[])
{
	static void *_Atomic known;

	return is_link(file) ? execv(file, argv) :
	       ((search_fn *)next_of(&known, "execvp"))(file, argv);
}

API int execvpe(const char *file, char *const argv[], char *const envp[])
{
	static void *_Atomic known;

	return is_link(file) ? execve(file, argv, envp) :
	       ((search_env_fn *)next_of(&known, "execvpe"))(file, argv, envp);
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

API int execl(const char *path, const char *arg, ...)
{
	va_list more;

	LISTED(argv, arg, more);
	va_end(more);
	return execve(path, argv, environ);
}

API int execlp(const char *file, const char *arg, ...)
{
	va_list more;

	LISTED(argv, arg, more);
	va_end(more);
	return execvp(file, argv);
}

API int execle(const char *path, const char *arg, ...)
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

static int spawn(spawn_fn *libc, pid_t *pid, const char *path,
		 const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attr, char *const argv[],
		 char *const envp[])
{
	size_t n = count(argv);
	char *with[n + 4];

	if (!is_link(path))
		return libc(pid, path, actions, attr, argv, envp);
	if (is_executable)
		return libc(pid, own, actions, attr, argv, envp);
	insert(with, argv, n);
	return libc(pid, "/proc/self/exe", actions, attr, with, envp);
}

API int posix_spawn(pid_t *pid, const char *path,
		    const posix_spawn_file_actions_t *actions,
		    const posix_spawnattr_t *attr, char *const argv[],
		    char *const envp[])
{
	static void *_Atomic known;

	return spawn((spawn_fn *)next_of(&known, "posix_spawn"), pid, path,
		     actions, attr, argv, envp);
}

API int posix_spawnp(pid_t *pid, const char *file,
		     const posix_spawn_file_actions_t *actions,
		     const posix_spawnattr_t *attr, char *const argv[],
		     char *const envp[])
{
	static void *_Atomic known;

	return spawn((spawn_fn *)next_of(&known, "posix_spawnp"), pid, file,
		     actions, attr, argv, envp);
}

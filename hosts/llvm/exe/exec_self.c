/*
 * exec_self.c - the exec family and posix_spawn(3); see exec_self.h
 *
 * In the child of a vfork(2) these functions write to their own stack only, and
 * take back what they map.
 */
#include "exe/exec_self.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exe/proc_self_exe.h"
#include "exe/rtld_next.h"
#include "runtime/handoff.h"
#include "support/section.h"

#define API __attribute__((visibility("default")))

/* Constant before the program begins. */
static const char *as_named;
static bool        by_name, is_executable; /* the latter: by the kernel */
static char      **handed;	/* strings of the handoff: words */
static size_t      n_handed;

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

static char *string(const char *word)
{
	char *s;

	return asprintf(&s, HANDOFF_PREFIX "%s", word) < 0 ? NULL : s;
}

bool exec_self_set(const char *program, char *const words[], int n,
		   bool also_by_name)
{
	as_named = program;
	by_name = also_by_name && *proc_self_exe_path() != '\0';
	is_executable = is_elf(program);
	handed = calloc((size_t)n + 1, sizeof(*handed));
	if (handed == NULL)
		return false;
	for (int i = 0; i < n; i++)
		handed[n_handed++] = string(words[i]);
	for (size_t i = 0; i < n_handed; i++)
		if (handed[i] == NULL)
			return false;
	return true;
}

/* -- Is it the program? ---------------------------------------------------- */

/* Would runtime run this file, with no other rights than the program's? */
static bool can_follow(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Shdr section;
	struct stat st;
	bool can = false;
	void *file;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    (st.st_mode & (S_ISUID | S_ISGID)) == 0 &&
	    faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0) {
		file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			    fd, 0);
		if (file != MAP_FAILED) {
			can = cofl_section_is_elf(file, (size_t)st.st_size) &&
			      cofl_section_find(file, (size_t)st.st_size,
						COFL_SECTION_BITCODE,
						&section) &&
			      section.sh_size != 0;
			munmap(file, (size_t)st.st_size);
		}
	}
	close(fd);
	return can;
}

static bool is_named_so(const char *path)
{
	struct stat a, b;

	return strcmp(path, as_named) == 0 ||
	       strcmp(path, proc_self_exe_path()) == 0 ||
	       (stat(path, &a) == 0 && stat(proc_self_exe_path(), &b) == 0 &&
		a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static bool is_self(const char *path)
{
	int saved = errno;
	bool is;

	if (path == NULL || handed == NULL)
		return false;
	if (proc_self_exe_is_link(path))
		return by_name || !is_executable;
	is = by_name && is_named_so(path) && can_follow(path);
	errno = saved;
	return is;
}

/* Natively the link leads to the program. */
static const char *native_path(const char *path)
{
	return proc_self_exe_is_link(path) ? proc_self_exe_path() : path;
}

/* -- Executing it ---------------------------------------------------------- */

/* The bytes of the handoff's first string. */
static size_t first_bytes(const char *path)
{
	return HANDOFF_PREFIX_BYTES + strlen(native_path(path)) + 1;
}

/* envp with the handoff behind it: the path, which may lead to a new file by
 * now, runtime's words, and tunables. with[] has room for all and NULL, first[]
 * for the first string, tunables[] for the last; NULL: there is none. */
static void hand_on(char **with, char *first, char *tunables, const char *path,
		    char *const envp[], size_t n)
{
	memcpy(first, HANDOFF_PREFIX, HANDOFF_PREFIX_BYTES);
	strcpy(first + HANDOFF_PREFIX_BYTES, native_path(path));
	for (size_t i = 0; i < n; i++)
		with[i] = envp[i];
	with[n++] = first;
	for (size_t i = 0; i < n_handed; i++)
		with[n + i] = handed[i];
	n += n_handed;
	if (tunables != NULL) {
		handoff_tunables(tunables, envp);
		with[n++] = tunables;
	}
	with[n] = NULL;
}

static int start(const char *path, char *const argv[], char *const envp[])
{
	return (int)syscall(SYS_execve, path, argv, envp);
}

static int start_self(const char *path, char *const argv[],
		      char *const envp[])
{
	size_t n = handoff_count(envp), bytes = handoff_tunables_bytes(envp);
	char *with[n + n_handed + 3], first[first_bytes(path)];
	char tunables[bytes + 1];

	hand_on(with, first, bytes ? tunables : NULL, path, envp, n);
	return start("/proc/self/exe", argv, with);
}

API int execve(const char *path, char *const argv[], char *const envp[])
{
	return is_self(path) ? start_self(path, argv, envp) :
			       start(native_path(path), argv, envp);
}

API int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

/* Not a name that is looked up in PATH, of the program or of its link. */
static bool is_path(const char *file)
{
	return file != NULL && strchr(file, '/') != NULL &&
	       (proc_self_exe_is_link(file) || is_self(file));
}

typedef int search_fn(const char *, char *const []);
typedef int search_env_fn(const char *, char *const [], char *const []);

API int execvp(const char *file, char *const argv[])
{
	static void *_Atomic known;

	return is_path(file) ? execv(file, argv) :
	       ((search_fn *)next_of(&known, "execvp"))(file, argv);
}

API int execvpe(const char *file, char *const argv[], char *const envp[])
{
	static void *_Atomic known;

	return is_path(file) ? execve(file, argv, envp) :
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
	size_t n = handoff_count(envp), bytes = handoff_tunables_bytes(envp);
	char *with[n + n_handed + 3], tunables[bytes + 1];

	if (path == NULL || strchr(path, '/') == NULL || !is_self(path))
		return libc(pid, native_path(path), actions, attr, argv, envp);

	char first[first_bytes(path)];

	hand_on(with, first, bytes ? tunables : NULL, path, envp, n);
	return libc(pid, "/proc/self/exe", actions, attr, argv, with);
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

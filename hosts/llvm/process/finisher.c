/*
 * finisher.c - see finisher.h
 */
#include "process/finisher.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rawcall.h"

#define CPU_SECONDS 300		/* more is no use to anybody */
#define NICE        19
#define OLD_FILES   4096	/* closed one by one, on Linux before 5.9 */

/* Constant once the program begins; pid 0: there is nothing to start. */
static struct {
	long  pid, uid, gid;
	char  runtime[PATH_MAX];
	char  program[PATH_MAX];
	char  options[sizeof("--cof-options=") + 4096];
	char *argv[7];
	char **envp;
} finisher;

static long id(long number)
{
	return cof_raw(number, 0, 0, 0, 0);
}

/* Its path from wherever the program goes. False: it is too long, or gone. */
static bool find(const char *program)
{
	char *at = finisher.program, *end = at + sizeof(finisher.program);
	ssize_t n;

	/* Executed anew by that name; in the finisher it is another file's. */
	if (strcmp(program, "/proc/self/exe") == 0) {
		n = readlink(program, at, sizeof(finisher.program) - 1);
		return n > 0 && n < (ssize_t)sizeof(finisher.program) - 1;
	}
	if (*program != '/') {
		if (getcwd(at, sizeof(finisher.program)) == NULL)
			return false;
		at += strlen(at);
	}
	if (strlen(program) + 2 > (size_t)(end - at))
		return false;
	if (*program != '/')
		*at++ = '/';
	strcpy(at, program);
	return true;
}

void finisher_init(const struct environment *env)
{
	int n = snprintf(finisher.options, sizeof(finisher.options),
			 "--cof-options=%s%s", env->options,
			 *env->options != '\0' ? ",stats=none" : "stats=none");
	char *const argv[] = {
		finisher.runtime, finisher.options, (char *)"--cof-finish",
		(char *)"--", finisher.program, NULL,
	};

	/* Libraries that runtime was to load are behind its own. */
	if (n < 0 || (size_t)n >= sizeof(finisher.options) ||
	    *env->runtime != '/' || strlen(env->runtime) >= PATH_MAX ||
	    strchr(env->libraries, ':') != NULL || getpid() == 1 ||
	    !find(env->program))
		return;
	strcpy(finisher.runtime, env->runtime);
	memcpy(finisher.argv, argv, sizeof(argv));
	finisher.envp = env->read;
	finisher.uid = id(SYS_geteuid);
	finisher.gid = id(SYS_getegid);
	finisher.pid = id(SYS_getpid);
}

/* In a child that has the program's memory, but neither its files nor its
 * folder. */
static _Noreturn void become(void)
{
	const struct { uint64_t soft, hard; } cpu = {
		CPU_SECONDS, CPU_SECONDS,
	};
	const uint64_t none = 0;
	long null;

	if (cof_raw(SYS_close_range, 0, UINT_MAX, 0, 0) != 0)
		for (int fd = 0; fd < OLD_FILES; fd++)
			cof_raw(SYS_close, fd, 0, 0, 0);
	null = cof_raw(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR, 0);
	while (null >= 0 && null < STDERR_FILENO)
		null = cof_raw(SYS_dup, null, 0, 0, 0);
	cof_raw(SYS_setpgid, 0, 0, 0, 0);
	cof_raw(SYS_chdir, (long)"/", 0, 0, 0);
	cof_raw(SYS_setpriority, PRIO_PROCESS, 0, NICE, 0);
	cof_raw(SYS_prlimit64, 0, RLIMIT_CPU, (long)&cpu, 0);
	cof_raw_rt_sigprocmask(SIG_SETMASK, &none, NULL);
	if (null >= 0)
		cof_raw(SYS_execve, (long)finisher.runtime,
			(long)finisher.argv, (long)finisher.envp, 0);
	for (;;)
		cof_raw(SYS_exit_group, 1, 0, 0, 0);
}

static __attribute__((noinline)) _Noreturn void leave_behind(void)
{
	if (cof_raw_vfork() == 0)
		become();
	for (;;)
		cof_raw(SYS_exit_group, 0, 0, 0, 0);
}

static __attribute__((noinline)) long start(void)
{
	long pid = cof_raw_vfork();

	if (pid == 0)
		leave_behind();
	return pid;
}

bool finisher_may(void)
{
	return finisher.pid != 0 && finisher.pid == id(SYS_getpid) &&
	       finisher.uid == id(SYS_geteuid) &&
	       finisher.gid == id(SYS_getegid);
}

void finisher_start(void)
{
	uint64_t before;
	long pid;

	cof_raw_block_signals(&before);
	pid = start();
	if (pid > 0)
		cof_raw(SYS_wait4, pid, 0, __WALL, 0);
	cof_raw_set_signals(&before);
}

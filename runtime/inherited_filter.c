/*
 * inherited_filter.c - see inherited_filter.h
 */
#include "inherited_filter.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What libcof calls in a process and programs need not; -1 for each argument is
 * an error that the kernel sees first. */
#define CALL(name) { #name, SYS_##name, { -1, -1, -1, -1, -1 } }

static const struct call {
	const char *name;
	long        number, arg[5];
} calls[] = {
	CALL(timer_create),
	CALL(timer_settime),
	CALL(timer_gettime),
	CALL(timer_delete),
	CALL(rt_sigaction),
	CALL(rt_sigprocmask),
	CALL(sigaltstack),
	CALL(tgkill),
	CALL(gettid),
	CALL(futex),
	CALL(membarrier),
	CALL(process_vm_readv),
	CALL(memfd_create),
	CALL(ftruncate),
	CALL(fallocate),
	CALL(pwrite64),
	CALL(pread64),
	CALL(flock),
	CALL(fcntl),
	CALL(close_range),
	CALL(mremap),
	CALL(madvise),
	CALL(mprotect),
	CALL(mincore),
	CALL(clock_nanosleep),
	CALL(clock_gettime),
	CALL(getpriority),
	CALL(setpriority),
	CALL(sched_getaffinity),
	CALL(openat),
	CALL(newfstatat),
	CALL(statfs),
	CALL(getdents64),
	CALL(mkdir),
	CALL(unlink),
	CALL(unlinkat),
	CALL(fchmod),
	CALL(fchown),
	CALL(sysinfo),
	CALL(getrandom),
	CALL(prlimit64),
	CALL(dup),
	CALL(lseek),
	CALL(geteuid),
	CALL(getegid),
	{ "prctl", SYS_prctl, { PR_SET_NAME, -1 } },
	/* A thread has its maker's handlers, so this one is refused. */
	{ "clone", SYS_clone, { CLONE_VM | CLONE_FS | CLONE_THREAD } },
};

#define CALLS (sizeof(calls) / sizeof(*calls))

/* The line that the kernel has for it; no filter, or nobody says: false. */
static bool has_filter(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	int mode = 0;
	char line[256];

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "Seccomp: %d", &mode) == 1)
			break;
	if (f != NULL)
		fclose(f);
	return mode != 0;
}

/* `at` is shared with the parent. */
static _Noreturn void try_all(_Atomic size_t *at)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	for (size_t i = 0; i < CALLS; i++) {
		const long *a = calls[i].arg;

		atomic_store(at, i);
		syscall(calls[i].number, a[0], a[1], a[2], a[3], a[4]);
	}
	atomic_store(at, CALLS);
	_exit(0);
}

bool inherited_filter_kills(char *why, size_t why_bytes)
{
	_Atomic size_t *at;
	size_t last = CALLS;
	int status;
	pid_t child;

	if (!has_filter())
		return false;
	at = mmap(NULL, sizeof(*at), PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return false;
	child = fork();
	if (child == 0)
		try_all(at);
	if (child > 0 && waitpid(child, &status, 0) == child &&
	    WIFSIGNALED(status))
		last = atomic_load(at);
	munmap((void *)at, sizeof(*at));
	if (last >= CALLS)
		return false;
	snprintf(why, why_bytes, "a filter of system calls, seccomp(2), that "
		 "the process began with forbids %s(2)", calls[last].name);
	return true;
}

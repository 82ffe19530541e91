/*
 * maker.c - start the keeper and the maker; see maker.h
 *
 * The keeper shares the memory of the program, as a child of vfork(2) does, so
 * that it costs no page. The program runs meanwhile, and the keeper has the
 * thread pointer of the thread that started it: it may call nothing of libc's
 * that touches thread-local variables, errno among them.
 */
#include "support/maker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "base/rawcall.h"
#include "support/unaudited.h"

extern char **environ;

/* Compilers would add code that uses thread-local variables. */
#define BARE __attribute__((no_sanitize("address", "thread", "undefined"), \
			    noinline))

#define KEEPER      "cof-keeper"	/* its name */
#define STACK_BYTES 16384
#define SIGNALS     64

enum { STARTING, STARTED, FAILED };

static struct {
	char            **argv, **envp;
	int               fd;
	pid_t             program;
	_Atomic uint32_t  state;	/* futex */
} plan;

static _Alignas(16) char keeper_stack[STACK_BYTES], maker_stack[STACK_BYTES];

static COF_FORK_DATA _Atomic pid_t keeper;	/* 0: there is none */
static COF_FORK_DATA pid_t owner;	/* the process whose child it is */

/* -- The keeper: no thread-local variables from here on -------------------- */

BARE static long raw(long number, long a, long b, long c, long d)
{
	return cof_raw(number, a, b, c, d);
}

BARE static void close_from(unsigned first)
{
	if (raw(SYS_close_range, first, ~0u, 0, 0) == 0)
		return;
	for (unsigned fd = first; fd < 1024; fd++)	/* before Linux 5.9 */
		raw(SYS_close, fd, 0, 0, 0);
}

/* The streams, and no other descriptor. */
BARE static void take_files(void)
{
	long null = raw(SYS_open, (long)"/dev/null", O_RDWR, 0, 0);

	raw(SYS_dup2, plan.fd < 0 ? null : plan.fd, 0, 0, 0);
	raw(SYS_dup2, null, 1, 0, 0);
	raw(SYS_dup2, null, 2, 0, 0);
	close_from(3);
}

BARE static void take_signals(void)
{
	static const struct cof_raw_sigaction none;
	static const uint64_t nothing;

	for (int sig = 1; sig <= SIGNALS; sig++)
		raw(SYS_rt_sigaction, sig, (long)&none, 0, sizeof(uint64_t));
	raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&nothing, 0,
	    sizeof(uint64_t));
}

/* With the keeper's memory, until execve(2). */
BARE static int become_maker(void *unused)
{
	(void)unused;
	take_files();
	take_signals();
	/* cof-llvm, not the program (exe/proc_self_exe.h). */
	raw(SYS_execve, (long)"/proc/self/exe", (long)plan.argv,
	    (long)plan.envp, 0);
	atomic_store(&plan.state, FAILED);
	return 1;
}

BARE static int keep(void *unused)
{
	uint32_t starting = STARTING;
	int pid = -1;

	(void)unused;
	raw(SYS_prctl, PR_SET_NAME, (long)KEEPER, 0, 0);
	raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
	raw(SYS_setsid, 0, 0, 0, 0);
	if (raw(SYS_getppid, 0, 0, 0, 0) == plan.program)
		pid = clone(become_maker, maker_stack + STACK_BYTES,
			    CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	close_from(0);
	atomic_compare_exchange_strong(&plan.state, &starting,
				       pid > 0 ? STARTED : FAILED);
	raw(SYS_futex, (long)&plan.state, FUTEX_WAKE, 1, 0);
	while (pid > 0 && raw(SYS_wait4, pid, 0, 0, 0) == -EINTR)
		;
	return 0;
}

/* -- The program's side ---------------------------------------------------- */

/* True: it has ended, or somebody else waited for it. */
static bool has_ended(pid_t pid, int options)
{
	long got;

	do
		got = raw(SYS_wait4, pid, 0, options | __WCLONE, 0);
	while (got == -EINTR);
	return got != 0;
}

static void wait_for_start(pid_t pid)
{
	const struct timespec look = { .tv_nsec = 100000000 };

	while (atomic_load(&plan.state) == STARTING && !has_ended(pid, WNOHANG))
		raw(SYS_futex, (long)&plan.state, FUTEX_WAIT, STARTING,
		    (long)&look);
}

bool cofl_maker_start(char **argv, int fd)
{
	uint64_t all = ~UINT64_C(0), before;
	pid_t pid;

	if (atomic_load(&keeper) != 0)
		return false;
	plan.argv = argv;
	plan.envp = cofl_unaudited(environ);
	if (plan.envp == NULL)
		return false;
	plan.fd = fd;
	plan.program = owner = getpid();
	atomic_store(&plan.state, STARTING);
	cof_raw_rt_sigprocmask(SIG_SETMASK, &all, &before);
	pid = clone(keep, keeper_stack + STACK_BYTES, CLONE_VM, NULL);
	cof_raw_rt_sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return false;
	wait_for_start(pid);
	if (atomic_load(&plan.state) == STARTED) {
		atomic_store(&keeper, pid);
		return true;
	}
	has_ended(pid, 0);
	return false;
}

bool cofl_maker_reap(void)
{
	pid_t pid;

	if (atomic_load(&keeper) == 0 || owner != getpid())
		return true;
	pid = atomic_exchange(&keeper, 0);
	if (pid == 0 || has_ended(pid, WNOHANG))
		return true;
	atomic_store(&keeper, pid);
	return false;
}

COF_FORK_CODE void cofl_maker_leave(void)
{
	pid_t pid;

	if (atomic_load(&keeper) == 0 || owner != getpid())
		return;
	pid = atomic_exchange(&keeper, 0);
	if (pid == 0)
		return;
	raw(SYS_kill, pid, SIGKILL, 0, 0);
	has_ended(pid, 0);
}

/* -- The maker ------------------------------------------------------------- */

static pid_t reaper;	/* COF_REAPER; 0: none */

/* "/proc/PID/comm". Async-signal-safe, as stdio is not. */
static void comm_path(char path[40], pid_t pid)
{
	char digit[12], *to = stpcpy(path, "/proc/");
	size_t n = 0;

	do {
		digit[n++] = (char)('0' + pid % 10);
		pid /= 10;
	} while (pid > 0);
	while (n > 0)
		*to++ = digit[--n];
	strcpy(to, "/comm");
}

/* Async-signal-safe. */
static bool is_called(pid_t pid, const char *name)
{
	char path[40], comm[20] = "";
	size_t n = strlen(name);
	int fd;

	comm_path(path, pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (read(fd, comm, sizeof(comm) - 1) < 0)
		*comm = '\0';
	close(fd);
	return strncmp(comm, name, n) == 0 && comm[n] == '\n';
}

static void end_if_left(int unused)
{
	pid_t parent = getppid();

	(void)unused;
	if (parent != 1 && parent != reaper && !is_called(parent, KEEPER) &&
	    !is_called(parent, "systemd"))
		_exit(1);
}

#define NICE 10

/*
 * The priority of the build workers. With a lower one they would delay the
 * image, while methods that are not hot run at half speed. The process has a
 * session, so an autogroup of its own (sched(7)), and priorities count within
 * an autogroup only. Without the group's priority the program and its workers
 * would share one of two cores, and this process would have the other.
 */
static void be_nice(void)
{
	FILE *group;

	setpriority(PRIO_PROCESS, 0, NICE);
	group = fopen("/proc/self/autogroup", "w");
	if (group == NULL)
		return;		/* the kernel has no autogroups */
	fprintf(group, "%d", NICE);
	fclose(group);
}

void cofl_maker_begin(void)
{
	const char *pid = secure_getenv("COF_REAPER");

	reaper = pid != NULL ? atoi(pid) : 0;
	signal(SIGHUP, end_if_left);
	prctl(PR_SET_PDEATHSIG, SIGHUP);
	end_if_left(0);		/* the keeper may be gone already */
	be_nice();
}

/*
 * e2e_run.c - run a program, and record how it ended
 *
 *	e2e_run [-u USAGE] FILE SECONDS PROGRAM [ARG...]
 *
 * FILE gets one line, "exit N", "signal N" or "timeout"; a shell's $? does not
 * tell them apart. The program may take SECONDS; 0 is no limit. It starts with
 * no signal blocked or ignored, in a process group of its own. When it has
 * ended, the rest of its group is killed. e2e_run waits for its processes in
 * other sessions, and kills them when the time is over.
 *
 * USAGE gets the program's CPU seconds, its most memory in KiB, the seconds
 * from its start to its end, and the CPU seconds of its first thread. They are
 * of the program alone. A large caller that forked would measure its own size,
 * and would wait for the other processes.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t late;
static volatile pid_t child;

static void on_alarm(int sig)
{
	late = sig;
	alarm(1);	/* again, in case this came right before wait(2) */
	if (child > 0)
		kill(-child, SIGKILL);
}

/* Kill the processes whose parent this one has become. */
static void kill_orphans(void)
{
	char path[64];
	long pid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	f = fopen(path, "re");
	while (f != NULL && fscanf(f, "%ld", &pid) == 1)
		kill((pid_t)pid, SIGKILL);
	if (f != NULL)
		fclose(f);
}

/* Wait for all of them, and for those that they leave. */
static void end_orphans(void)
{
	for (;;) {
		if (late)
			kill_orphans();
		if (wait(NULL) < 0 && errno != EINTR)
			return;
	}
}

/* Start the program as from a terminal. */
static void become(char **argv)
{
	/* The kernel's struct sigaction: handler, flags, restorer, mask. */
	static const unsigned long dfl[4];
	struct rlimit none = { 0, 0 };
	sigset_t all;

	setpgid(0, 0);
	setrlimit(RLIMIT_CORE, &none);
	/* signal(3) leaves out the two signals that libc uses. */
	for (int s = 1; s < NSIG; s++)
		syscall(SYS_rt_sigaction, s, dfl, NULL, NSIG / 8);
	sigemptyset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	execvp(argv[0], argv);
	fprintf(stderr, "e2e_run: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static FILE *open_or_exit(const char *path)
{
	FILE *f = fopen(path, "we");

	if (f == NULL) {
		perror(path);
		exit(1);
	}
	return f;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* CPU seconds of the child's first thread, when it has ended: the process keeps
 * it until wait(2). */
static double first_thread(void)
{
	unsigned long long ns = 0;
	char path[64];
	siginfo_t info;
	FILE *f;

	while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) != 0 &&
	       errno == EINTR)
		;
	snprintf(path, sizeof(path), "/proc/%d/schedstat", child);
	f = fopen(path, "re");
	if (f != NULL && fscanf(f, "%llu", &ns) != 1)
		ns = 0;
	if (f != NULL)
		fclose(f);
	return (double)ns / 1e9;
}

int main(int argc, char **argv)
{
	FILE *to, *usage = NULL;
	struct rusage used;
	double began, took, first;
	int status;

	if (argc > 2 && strcmp(argv[1], "-u") == 0) {
		usage = open_or_exit(argv[2]);
		argc -= 2;
		argv += 2;
	}
	if (argc < 4) {
		fputs("usage: e2e_run [-u USAGE] FILE SECONDS PROGRAM "
		      "[ARG...]\n", stderr);
		return 2;
	}
	to = open_or_exit(argv[1]);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	began = now();
	child = fork();
	if (child < 0) {
		perror("fork");
		return 1;
	}
	if (child == 0)
		become(argv + 3);
	setpgid(child, child);
	/* No SA_RESTART, so that wait(2) returns. */
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = on_alarm }, NULL);
	alarm((unsigned)strtoul(argv[2], NULL, 10));
	first = first_thread();
	while (wait4(child, &status, 0, &used) < 0)
		if (errno != EINTR)
			return 1;
	took = now() - began;
	kill(-child, SIGKILL);
	child = 0;		/* another process may get its number */
	if (late)
		fputs("timeout\n", to);
	else if (WIFSIGNALED(status))
		fprintf(to, "signal %d\n", WTERMSIG(status));
	else
		fprintf(to, "exit %d\n", WEXITSTATUS(status));
	if (usage != NULL)
		fprintf(usage, "%.6f %ld %.6f %.6f\n", seconds(used.ru_utime) +
			seconds(used.ru_stime), used.ru_maxrss, took, first);
	end_orphans();
	return fclose(to) == 0 && (usage == NULL || fclose(usage) == 0) ? 0 : 1;
}

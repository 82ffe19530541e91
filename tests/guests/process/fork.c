/*
 * fork.c - children go on computing in code that gets replaced
 *
 * guest-hot:
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

NOINLINE static uint64_t work(uint64_t x)
{
	for (int i = 0; i < 2000; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

static uint64_t round_(void) { return work(MIX0); }

/* Wait for a child and say how it ended. */
static void report(const char *what, pid_t pid)
{
	int s = 0;

	if (waitpid(pid, &s, 0) != pid)
		printf("%s: lost\n", what);
	else if (WIFSIGNALED(s))
		printf("%s: signal %d\n", what, WTERMSIG(s));
	else
		printf("%s: exit %d\n", what, WEXITSTATUS(s));
	fflush(stdout);
}

static pid_t child(int how)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	guest_run("child", round_);
	fflush(stdout);
	switch (how) {
	case 0: exit(17);
	case 1: _exit(18);
	case 2: raise(SIGKILL);
	case 3: abort();
	}
	_exit(0);
}

static void *thread_main(void *arg)
{
	pid_t pid;
	int s;

	for (int i = 0; i < 10; i++) {
		work(1);
		pid = fork();
		if (pid == 0)
			_exit(work(5) == *(uint64_t *)arg ? 33 : 34);
		if (waitpid(pid, &s, 0) != pid || WEXITSTATUS(s) != 33)
			return "a child of a thread went wrong";
	}
	return "children of a thread are right";
}

static void *child_thread(void *arg)
{
	*(uint64_t *)arg = work(6);
	return NULL;
}

static int prepared, in_parent, in_child;
static void prepare(void) { prepared++; }
static void parent(void) { in_parent++; }
static void childs(void) { in_child++; }

int main(void)
{
	uint64_t five = work(5), six = 0;
	pthread_t t[2];
	void *said;
	pid_t pid;
	int pipes[2];
	char buf[64];
	ssize_t n;

	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	guest_run("parent", round_);
	for (int how = 0; how < 4; how++)
		report("child", child(how));

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread_main, &five);
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], &said);
		puts(said);
	}

	/* A child that starts threads, and one that forks again. */
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		pthread_create(&t[0], NULL, child_thread, &six);
		pthread_join(t[0], NULL);
		if (six != work(6))
			_exit(1);
		pid = fork();
		if (pid == 0) {
			guest_run("grandchild", round_);
			exit(8);
		}
		report("grandchild", pid);
		exit(9);
	}
	report("with threads", pid);

	/* pthread_atfork, vfork and exec, a pipe to a child. */
	pthread_atfork(prepare, parent, childs);
	if (pipe(pipes) < 0)
		return 1;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		n = snprintf(buf, sizeof(buf), "%d %d %d", prepared,
			     in_parent, in_child);
		_exit(write(pipes[1], buf, (size_t)n) != n);
	}
	report("atfork child", pid);
	n = read(pipes[0], buf, sizeof(buf) - 1);
	buf[n > 0 ? n : 0] = 0;
	printf("atfork: child saw %s; parent %d %d %d\n", buf, prepared,
	       in_parent, in_child);
	fflush(stdout);
	pid = vfork();
	if (pid == 0) {
		execlp("sh", "sh", "-c", "exit 6", (char *)NULL);
		_exit(1);
	}
	report("vfork", pid);
	n = system("exit 5");
	printf("system: %d\n", WEXITSTATUS((int)n));
	guest_run("parent again", round_);
	return 0;
}

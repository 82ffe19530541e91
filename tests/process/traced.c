/*
 * traced.c - a program that lets itself be traced, and nobody does
 */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUN_MS 500

__attribute__((noinline)) static unsigned work(unsigned n)
{
	unsigned s = 1;

	for (unsigned i = 0; i < n; i++)
		s = s % 3 == 0 ? s / 3 : s * 5 + i;
	return s;
}

static void works(void)
{
	volatile unsigned sum = 0;
	clock_t end = clock() + RUN_MS * CLOCKS_PER_SEC / 1000;

	while (clock() < end)
		sum += work(10000);
}

int main(void)
{
	pid_t pid;
	int status;

	works();
	pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		works();
		_exit(7);
	}
	waitpid(pid, &status, WUNTRACED);
	printf("%s %d\n", WIFSTOPPED(status) ? "stopped" : "ended",
	       WIFSTOPPED(status) ? WSTOPSIG(status) : WEXITSTATUS(status));
	if (WIFSTOPPED(status))
		kill(pid, SIGKILL);
	return 0;
}

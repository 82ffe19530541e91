/*
 * traced.c - a program that lets itself be traced, and nobody does
 */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

#define RUN_MS 500

int main(void)
{
	pid_t pid;
	int status;

	work_for(RUN_MS);
	pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		work_for(RUN_MS);
		_exit(7);
	}
	waitpid(pid, &status, WUNTRACED);
	printf("%s %d\n", WIFSTOPPED(status) ? "stopped" : "ended",
	       WIFSTOPPED(status) ? WSTOPSIG(status) : WEXITSTATUS(status));
	if (WIFSTOPPED(status))
		kill(pid, SIGKILL);
	return 0;
}

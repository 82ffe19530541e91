/*
 * traced.c - a program that lets itself be traced, and nobody does
 *
 *	forked		a child by fork(2)
 *	by_number	the same, by syscall(2)
 *	vforked		by vfork(2), which has the program's memory: libcof
 *			stays with the program
 *
 * args: forked
 * args: by_number
 * args: vforked
 * fake: exits .*quiet=0\|none
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

#define RUN_MS 500

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pid_t pid;
	int status;

	work_for(RUN_MS);
	pid = strcmp(how, "vforked") == 0 ? vfork() : fork();
	if (pid == 0) {
		if (strcmp(how, "by_number") == 0)
			syscall(SYS_ptrace, PTRACE_TRACEME, 0, NULL, NULL);
		else
			ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		if (strcmp(how, "vforked") == 0)
			_exit(7);
		work_for(RUN_MS);
		_exit(7);
	}
	waitpid(pid, &status, WUNTRACED);
	printf("%s %d\n", WIFSTOPPED(status) ? "stopped" : "ended",
	       WIFSTOPPED(status) ? WSTOPSIG(status) : WEXITSTATUS(status));
	if (WIFSTOPPED(status))
		kill(pid, SIGKILL);
	work_for(RUN_MS);
	return 0;
}

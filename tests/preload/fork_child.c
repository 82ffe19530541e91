/*
 * fork_child.c - a child of fork(2) is joined once it has used CPU time itself
 *
 * fake: exits begins=1
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "joined.h"

int main(void)
{
	int status;

	if (fork() == 0) {
		work_until_joined();
		return 5;
	}
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	fflush(stdout);
	_exit(0);
}

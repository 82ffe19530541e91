/*
 * child.h - how a child of the test ended
 */
#pragma once

#include <sys/wait.h>
#include <unistd.h>

/* The status it passed to _exit(2). A signal must not have ended it. */
static inline int exit_of(pid_t pid)
{
	int status = -1;

	assert_true(pid >= 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

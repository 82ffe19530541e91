/*
 * child.h - how a child of the test ended
 */
#ifndef TESTS_SUPPORT_CHILD_H
#define TESTS_SUPPORT_CHILD_H

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

#endif /* TESTS_SUPPORT_CHILD_H */

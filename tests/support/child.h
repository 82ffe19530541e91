/*
 * child.h - how a child of the test ended
 */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include <sys/wait.h>
#include <unistd.h>

/* What it said to _exit(2); by a signal it must not end. */
static inline int exit_of(pid_t pid)
{
	int status = -1;

	assert_true(pid >= 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#endif /* TESTS_CHILD_H */

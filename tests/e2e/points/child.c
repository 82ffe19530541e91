/*
 * child.c - a child of fork(2) computes in a function that its parent never
 * called, until that runs in other code than the executable's
 *
 * The number of rounds ends a run in which that never happens.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern const char __executable_start[], etext[];	/* the linker's */

/* Does the caller's code lie in the executable? */
__attribute__((noinline)) static int is_in_executable(void)
{
	uintptr_t from = (uintptr_t)__builtin_return_address(0);

	return from > (uintptr_t)__executable_start && from < (uintptr_t)etext;
}

#define COMPUTE(name, factor)						\
	__attribute__((noinline)) static int name(unsigned *x)		\
	{								\
		for (int i = 0; i < 1000; i++)				\
			*x = (*x ^ *x >> 7) * factor + (unsigned)i;	\
		return is_in_executable() + (*x == 1);			\
	}
COMPUTE(parents, 1664525u)
COMPUTE(childs, 22695477u)

static int leaves(int (*compute)(unsigned *))
{
	unsigned x = 1;

	for (unsigned long rounds = 0; compute(&x); rounds++)
		if (rounds == 500000000)
			return 0;
	return 1;
}

int main(void)
{
	int status = 0;
	pid_t pid;

	if (!leaves(parents)) {
		puts("it never left");
		return 1;
	}
	pid = fork();
	if (pid == 0)
		_exit(leaves(childs) ? 0 : 1);
	waitpid(pid, &status, 0);
	puts(status == 0 ? "it left" : "the child never left");
	return 0;
}

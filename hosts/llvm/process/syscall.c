/*
 * syscall.c - prctl(2), and what the stand-ins do; see syscall.h
 */
#include "process/syscall.h"

#include <stdarg.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "preload/code_writes.h"
#include "preload/native.h"
#include "preload/rtld_next.h"
#include "process/capabilities.h"
#include "process/filter.h"
#include "process/namespaces.h"

static int call_prctl(int option, const unsigned long arg[4])
{
	bool given_up = capabilities_given_up(option, arg[0]);
	int result;

	/* A sample reads the time stamp counter, and ends with a system call
	 * outside of what the program allows to make some. */
	if (option == PR_SET_SECCOMP ||
	    (option == PR_SET_SYSCALL_USER_DISPATCH &&
	     arg[0] == PR_SYS_DISPATCH_ON) ||
	    (option == PR_SET_TSC && arg[0] == PR_TSC_SIGSEGV))
		filter_comes();
	if (given_up)
		native_wait();	/* new threads have their maker's rights */
	result = rtld_next.prctl(option, arg[0], arg[1], arg[2], arg[3]);
	if (given_up && result == 0)
		capabilities_follow(option, arg[0], arg[1]);
	return result;
}

STAND_IN
int prctl(int option, ...)
{
	unsigned long arg[4];
	va_list args;

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		arg[i] = va_arg(args, unsigned long);
	va_end(args);
	return call_prctl(option, arg);
}

/* From now on a signal stops the thread until its tracer lets it go on. There
 * may be none: programs look so for a debugger. */
STAND_IN
long ptrace(enum __ptrace_request request, ...)
{
	va_list args;
	void *address, *data;
	pid_t pid;

	va_start(args, request);
	pid = va_arg(args, pid_t);
	address = va_arg(args, void *);
	data = va_arg(args, void *);
	va_end(args);
	if (request == PTRACE_TRACEME)
		filter_comes();
	return rtld_next.ptrace(request, pid, address, data);
}

/* Not by the names of the stand-ins: the program may have its own, which call
 * syscall(2). */
long syscall_known(long number, long a, long b, long c, long d, long e)
{
	const unsigned long arg[4] = {
		(unsigned long)b, (unsigned long)c, (unsigned long)d,
		(unsigned long)e,
	};

	switch (number) {
	case SYS_mprotect:
		return code_writes_protect((void *)a, (size_t)b, (int)c);
	case SYS_capset:
		return capabilities_set((void *)a, (void *)b);
	case SYS_unshare:
		return namespaces_unshare((int)a);
	case SYS_setns:
		return namespaces_set((int)a, (int)b);
	default:
		return call_prctl((int)a, arg);
	}
}

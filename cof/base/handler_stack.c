/*
 * handler_stack.c - see handler_stack.h
 */
#include "base/handler_stack.h"

#include <signal.h>
#include <sys/mman.h>

#include "base/onstack.h"
#include "base/rawcall.h"

struct job {
	void   (*fn)(void *);
	void    *arg;
	uint64_t mask;		/* the handler's */
};

/* By system calls: the program's sigaltstack(2) is stood in for. No signal may
 * come while there is an alternate stack and this is not on it. */
static void run(void *p)
{
	const struct job *job = p;
	const stack_t none = { .ss_flags = SS_DISABLE };
	uint64_t mask;
	stack_t was;

	cof_raw(SYS_sigaltstack, (long)&none, (long)&was, 0, 0);
	cof_raw_set_signals(&job->mask);
	job->fn(job->arg);
	cof_raw_block_signals(&mask);
	cof_raw(SYS_sigaltstack, (long)&was, 0, 0, 0);
}

bool cof_handler_stack_run(size_t bytes, void (*fn)(void *), void *arg)
{
	struct job job = { .fn = fn, .arg = arg };
	char *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK |
			   MAP_NORESERVE, -1, 0);

	if (stack == MAP_FAILED)
		return false;
	cof_raw_block_signals(&job.mask);
	cof_onstack(stack + bytes, run, &job);
	cof_raw_set_signals(&job.mask);
	munmap(stack, bytes);
	return true;
}

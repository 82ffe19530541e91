/*
 * thread.c - stacks and signal masks of the program's threads; see thread.h
 */
#include "program/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "profile/counter_shards.h"
#include "program/host.h"

#define BIG_STACK_BYTES ((size_t)64 << 20)

static _Thread_local uintptr_t stack_lo, stack_hi;

void cofl_thread_critical_enter(struct cofl_thread_critical *c)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &c->signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &c->cancel);
	c->error = errno;
}

void cofl_thread_critical_leave(struct cofl_thread_critical *c)
{
	int unused;

	errno = c->error;
	pthread_setcancelstate(c->cancel, &unused);
	pthread_sigmask(SIG_SETMASK, &c->signals, NULL);
}

/* The calling thread's: once a thread, at its start. */
static void note_stack(void)
{
	pthread_attr_t attr;
	void *lo;
	size_t n;

	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return;
	if (pthread_attr_getstack(&attr, &lo, &n) == 0) {
		stack_lo = (uintptr_t)lo;
		stack_hi = (uintptr_t)lo + n;
	}
	pthread_attr_destroy(&attr);
}

char *cofl_thread_big_stack(void)
{
	static char *base;

	if (base == NULL) {
		char *p = mmap(NULL, BIG_STACK_BYTES, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			       MAP_STACK, -1, 0);

		if (p == MAP_FAILED)
			return NULL;
		/* A guard page: an overflow faults. */
		mprotect(p, 4096, PROT_NONE);
		base = p;
	}
	return base + BIG_STACK_BYTES;
}

void cofl_thread_enter(struct cofl *host)
{
	note_stack();
	cofl_counter_shards_enter();
	/* 0: unknown, so libcof finds out. */
	cof_thread_attach(host->cof, (const void *)stack_lo,
			  (const void *)stack_hi);
}

void cofl_thread_leave(struct cofl *host)
{
	cof_thread_detach(host->cof);
}

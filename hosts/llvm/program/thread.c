/*
 * thread.c - see thread.h
 */
#include "program/thread.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "cofl.h"
#include "profile/counter_shards.h"

static _Thread_local uintptr_t stack_lo, stack_hi;

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

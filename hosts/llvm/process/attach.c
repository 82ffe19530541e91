/*
 * attach.c - see attach.h
 */
#include "process/attach.h"

#include <limits.h>
#include <pthread.h>
#include <stdint.h>

#include "preload/native.h"
#include "preload/signal_stack.h"
#include "process/last_exit.h"

static pthread_key_t      leaving;
static _Thread_local bool attached;

/* Destructors of keys run in rounds. */
static void on_leave(void *rounds_left)
{
	uintptr_t rounds = (uintptr_t)rounds_left;
	const struct cofl_events *events = native_events();

	if (rounds > 1 &&
	    pthread_setspecific(leaving, (void *)(rounds - 1)) == 0)
		return;
	/* Also if it never attached: then it may have been expected. */
	if (events != NULL && events->thread_ends != NULL)
		events->thread_ends();
	attached = false;
	signal_stack_end();
	last_exit_thread_ends();
}

static void await_end(void)
{
	pthread_setspecific(leaving,
			    (void *)(uintptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
}

bool attach_init(void)
{
	if (pthread_key_create(&leaving, on_leave) != 0)
		return false;
	await_end();
	return true;
}

void attach_begin(void)
{
	const struct cofl_events *events = native_events();

	await_end();
	if (events == NULL || attached)
		return;
	attached = true;
	signal_stack_begin();
	if (events->thread_begins != NULL)
		events->thread_begins();
}

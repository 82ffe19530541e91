/*
 * last_exit.c - see last_exit.h
 */
#include "process/last_exit.h"

#include <stdatomic.h>
#include <unistd.h>

_Atomic int last_exit_status = -1;

void last_exit_thread_ends(void)
{
	atomic_store_explicit(&last_exit_status, 0, memory_order_relaxed);
}

void last_exit_left_alone(int status)
{
	int last = atomic_load_explicit(&last_exit_status,
					memory_order_relaxed);

	_exit(last >= 0 ? last : status);
}

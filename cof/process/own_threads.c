/*
 * own_threads.c - a count; see own_threads.h
 */
#include "process/own_threads.h"

#include <stdatomic.h>

#include "base/fork_code.h"
#include "base/fork_data.h"

/* How many there are, and, times BEGUN, how many there ever were. */
static COF_FORK_DATA _Atomic uint64_t own;

#define BEGUN (UINT64_C(1) << 32)

void cof_own_threads_enter(void)
{
	atomic_fetch_add(&own, BEGUN + 1);
}

void cof_own_threads_leave(void)
{
	atomic_fetch_sub(&own, 1);
}

COF_FORK_CODE void cof_own_threads_in_child(void)
{
	if (atomic_load_explicit(&own, memory_order_relaxed) != 0)
		atomic_store_explicit(&own, 0, memory_order_relaxed);
}

uint64_t cof_own_threads(void)
{
	return atomic_load(&own);
}

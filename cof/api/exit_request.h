/*
 * exit_request.h - end the process from anywhere, also from a signal handler
 *
 *	thread that ends it           SAM
 *	asked, SAM is to stop         its last round
 *	futex wait while not over     the record for the history
 *	                              over, futex wake
 *	ends the process
 *
 * The thread that ends the process may hold any lock, or have interrupted a
 * thread that does. So it takes none, and SAM does what needs locks. If SAM
 * needs a lock that is held, the wait times out.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cof;

struct cof_exit_request {
	_Atomic uint32_t asked;
	_Atomic uint32_t over;		/* futex */
};

/*
 * For SAM, once it was stopped: was that to end the process? Relaxed: no other
 * data depends on `asked`, and the futex is ordered.
 */
static inline bool
cof_exit_request_is_asked(const struct cof_exit_request *request)
{
	return atomic_load_explicit((_Atomic uint32_t *)&request->asked,
				    memory_order_relaxed) != 0;
}

/* SAM's last act: if so, record the run in the history and wake the waiter. */
void cof_exit_request_serve(struct cof *cof);

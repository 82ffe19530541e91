/*
 * exit_request.h - the end of the process from anywhere, a signal handler say
 *
 *	thread that ends it           SAM
 *	asked, SAM is to stop         its last round
 *	futex wait while not over     the record for the history
 *	                              over, futex wake
 *	ends the process
 *
 * Who calls _exit(2) may hold any lock, or have interrupted who does; so it takes
 * none, and what needs some is done by SAM. Should that need one of those, the wait
 * ends.
 */
#ifndef COF_API_EXIT_REQUEST_H
#define COF_API_EXIT_REQUEST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cof;

struct cof_exit_request {
	_Atomic uint32_t asked;
	_Atomic uint32_t over;		/* futex */
};

/* SAM, once it was stopped: is that to end the process? Asked is all that there is
 * to see: relaxed, and the futex is ordered. */
static inline bool cof_exit_request_is_asked(const struct cof_exit_request *exiting)
{
	return atomic_load_explicit((_Atomic uint32_t *)&exiting->asked,
				    memory_order_relaxed) != 0;
}

/* SAM's last act: if so, the record is made. */
void cof_exit_request_turn(struct cof *cof);

#endif /* COF_API_EXIT_REQUEST_H */

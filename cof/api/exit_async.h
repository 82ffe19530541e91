/*
 * exit_async.h - end the process from anywhere, also from a signal handler
 *
 *	thread that ends it           SAM
 *	asked, SAM is to stop         its last round
 *	futex wait while not over     the record for the history
 *	                              over, futex wake
 *	ends the process
 *
 * The thread that ends the process may hold any lock, or have interrupted a
 * thread that does. So it takes none, and SAM does what needs locks. If SAM
 * needs a lock that is held, the wait times out. Its side, the public
 * cof_exit_async_safe(), is here as well; the record is process/exit_request.h.
 */
#pragma once

struct cof;

/* SAM's last act: if asked, record the run in the history and wake the
 * waiter. */
void cof_exit_async_serve(struct cof *cof);

/*
 * exiting.h - the end of the process from anywhere, a signal handler say
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
#ifndef COF_EXITING_H
#define COF_EXITING_H

#include <stdatomic.h>
#include <stdint.h>

struct cof;

struct cof_exiting {
	_Atomic uint32_t asked;
	_Atomic uint32_t over;		/* futex */
};

/* SAM, once it was stopped: if that was to end the process. */
int  cof_exiting_is_asked(const struct cof *cof);
void cof_exiting_turn(struct cof *cof);

#endif /* COF_EXITING_H */

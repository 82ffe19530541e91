/*
 * sigmask.h - the program's signal masks, without the sampling signal in them
 *
 * The sampling signal is no signal of the program's. A program that blocks all
 * signals in a thread would not be sampled there; one that waits for all of
 * them would be handed ours. So the calls below stand in for libc's: the bit of
 * the sampling signal is left out of what is blocked and waited for, put into
 * the masks of calls that sleep, and remembered, so that the program reads back
 * what it wrote. A program that handles the signal itself is left alone.
 */
#ifndef COFL_SUPPORT_SIGMASK_H
#define COFL_SUPPORT_SIGMASK_H

#include <stdint.h>

/* `sig` is the sampling signal; 0: there is none. */
void cofl_sigmask_init(int sig);

/* Our stand-in for libc's function `name`, or 0. */
uintptr_t cofl_sigmask_stand_in(const char *name);

#endif /* COFL_SUPPORT_SIGMASK_H */

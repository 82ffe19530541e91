/*
 * signals.c - the stand-in for sigaction(2)
 *
 * Samples, and the looks of start.h, come by a signal that libc keeps from its
 * programs (base/libc_signal.h), so they hide themselves. A signal that the
 * user named for samples is the program's as well: libcof chains to its
 * handler. No sample comes into a handler on a small alternate stack
 * (preload/signal_stack.h).
 */
#include <signal.h>
#include <stddef.h>

#include "base/libc_signal.h"
#include "preload/native.h"
#include "preload/rtld_next.h"
#include "preload/signal_stack.h"
#include "process/start.h"

/* In a mask, that of samples. libc's functions for masks leave it out. */
#define SIGNALS_BIT (1ul << (START_SIGNAL - 1))

STAND_IN
int sigaction(int sig, const struct sigaction *restrict act,
	      struct sigaction *restrict old)
{
	const struct cofl_events *events = native_events();
	struct sigaction quiet;
	int result;

	/* What a child of vfork(2) sets is its own, and libcof's note of it is
	 * its parent's. */
	if (events != NULL && events->sigaction != NULL && start_is_process() &&
	    sig == events->signal && sig != 0 && !cof_libc_signal_is(sig))
		return events->sigaction(sig, act, old);
	signal_stack_handler(act);
	if (signal_stack_is_small_for(act)) {
		quiet = *act;
		quiet.sa_mask.__val[0] |= SIGNALS_BIT;
		act = &quiet;
	}
	result = rtld_next.sigaction(sig, act, old);
	if (old != NULL && result == 0)
		old->sa_mask.__val[0] &= ~SIGNALS_BIT;
	return result;
}

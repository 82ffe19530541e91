/*
 * libc_signal.h - the two real-time signals that libc keeps for itself
 *
 * glibc has no names for them, and its functions leave them out: sigfillset(3),
 * sigaddset(3), sigaction(2), pthread_sigmask(3). So a program that uses libc
 * cannot handle, block, wait for or inherit one, and does not notice a handler
 * (glibc 2.36, is_internal_signal()). libc has a handler itself from the first
 * pthread_cancel(3), or the first thread, on. It ignores what is not its own.
 *
 *	CANCEL	pthread_cancel(3); timers that make threads wait for it on a
 *		thread of their own
 *	SETXID	setuid(2) and its kin, in a program of several threads
 */
#pragma once

#include <signal.h>
#include <stdbool.h>

enum { COF_LIBC_SIGNAL_CANCEL = 32, COF_LIBC_SIGNAL_SETXID = 33 };

static inline bool cof_libc_signal_is(int sig)
{
	return sig == COF_LIBC_SIGNAL_CANCEL || sig == COF_LIBC_SIGNAL_SETXID;
}

/*
 * sigaction(2) by the kernel, for one of the two: 0, or -1 and errno. The mask
 * has 64 signals. Async-signal-safe.
 */
int cof_libc_signal_action(int sig, const struct sigaction *act,
			   struct sigaction *old);

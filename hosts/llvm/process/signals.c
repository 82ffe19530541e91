/*
 * signals.c - the stand-ins for sigaction(2) and signal(3): hidden signals stay
 * libcof's (hidden.h), all others go to libc
 */
#include <errno.h>
#include <signal.h>

#include "preload/hidden.h"
#include "preload/next.h"
#include "preload/signal_stack.h"

typedef void handler_fn(int);

STAND_IN
int sigaction(int sig, const struct sigaction *restrict act,
	      struct sigaction *restrict old)
{
	signal_stack_handler(sig, act);
	return hidden_sigaction(sig, act, old);
}

/* By libc's function, which knows siginterrupt(3), except for hidden
 * signals. */
static handler_fn *set_handler(handler_fn *(*libcs)(int, handler_fn *), int sig,
			       handler_fn *handler, int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags };
	struct sigaction old;
	struct hidden hidden = hidden_signals();

	if (sig <= 0 || handler == SIG_ERR ||
	    (sig != hidden.start && sig != hidden.samples))
		return libcs(sig, handler);
	sigemptyset(&act.sa_mask);
	return hidden_sigaction(sig, &act, &old) == 0 ? old.sa_handler :
							SIG_ERR;
}

/* signal(3) with glibc's BSD semantics. */
STAND_IN
handler_fn *signal(int sig, handler_fn *handler)
{
	return set_handler(next.signal, sig, handler, SA_RESTART);
}

/* In a program compiled for strict standards. */
STAND_IN
handler_fn *sysv_signal(int sig, handler_fn *handler)
{
	return set_handler(next.sysv_signal, sig, handler,
			   (int)SA_RESETHAND | SA_NODEFER);
}

/* Their other names. */
handler_fn *bsd_signal(int sig, handler_fn *handler);
handler_fn *ssignal(int sig, handler_fn *handler);
handler_fn *__sysv_signal(int sig, handler_fn *handler);

STAND_IN
handler_fn *bsd_signal(int sig, handler_fn *handler)
{
	return signal(sig, handler);
}

STAND_IN
handler_fn *ssignal(int sig, handler_fn *handler)
{
	return signal(sig, handler);
}

STAND_IN
handler_fn *__sysv_signal(int sig, handler_fn *handler)
{
	return sysv_signal(sig, handler);
}

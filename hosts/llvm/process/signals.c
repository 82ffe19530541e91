/*
 * signals.c - the stand-ins for sigaction(2) and signal(3): hidden signals stay
 * libcof's (hidden.h), all others go to libc
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

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

static bool is_hidden(int sig)
{
	struct hidden hidden = hidden_signals();

	return sig > 0 && (sig == hidden.start || sig == hidden.samples);
}

/* By libc's function, which knows siginterrupt(3), except for hidden
 * signals. */
static handler_fn *set_handler(handler_fn *(*libcs)(int, handler_fn *), int sig,
			       handler_fn *handler, int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags };
	struct sigaction old;

	if (!is_hidden(sig) || handler == SIG_ERR)
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

/* -- Those of System V, which change the mask, too ------------------------- */

/* Returns whether the signal was blocked. */
static bool change_mask(int how, int sig)
{
	sigset_t one, was;

	sigemptyset(&one);
	sigaddset(&one, sig);
	return sigprocmask(how, &one, &was) == 0 &&
	       sigismember(&was, sig) == 1;
}

STAND_IN
handler_fn *sigset(int sig, handler_fn *handler)
{
	struct sigaction act = { .sa_handler = handler }, old;
	bool holds = handler == SIG_HOLD;

	if (!is_hidden(sig) || handler == SIG_ERR)
		return next.sigset(sig, handler);
	sigemptyset(&act.sa_mask);
	if (hidden_sigaction(sig, holds ? NULL : &act, &old) != 0)
		return SIG_ERR;
	return change_mask(holds ? SIG_BLOCK : SIG_UNBLOCK, sig) ?
	       SIG_HOLD : old.sa_handler;
}

STAND_IN
int sighold(int sig)
{
	if (!is_hidden(sig))
		return next.sighold(sig);
	change_mask(SIG_BLOCK, sig);
	return 0;
}

STAND_IN
int sigrelse(int sig)
{
	if (!is_hidden(sig))
		return next.sigrelse(sig);
	change_mask(SIG_UNBLOCK, sig);
	return 0;
}

STAND_IN
int sigignore(int sig)
{
	if (!is_hidden(sig))
		return next.sigignore(sig);
	return set_handler(next.signal, sig, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

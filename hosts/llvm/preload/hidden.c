/*
 * hidden.c - dispositions of hidden signals; see hidden.h
 *
 * The signal of the start is ignored by default, so what the program has not
 * handled itself is not passed on.
 */
#include "preload/hidden.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/rawcall.h"
#include "preload/native.h"
#include "preload/next.h"

#ifndef SA_RESTORER
#define SA_RESTORER 0x04000000	/* in what the kernel returns */
#endif

static _Atomic int      start;		/* 0: none is hidden */
static struct sigaction programs;	/* for it */
static struct cof_raw_sigaction before;	/* as the kernel had it */
static bool             is_set;		/* the program has set it */

struct hidden hidden_signals(void)
{
	const struct cofl_events *events = native_events();

	return (struct hidden){
		.start = atomic_load_explicit(&start, memory_order_relaxed),
		.samples = events != NULL ? events->signal : 0,
	};
}

bool hidden_begin_start(int sig, const struct sigaction *act)
{
	if (next.sigaction(sig, NULL, &programs) != 0 ||
	    cof_raw_rt_sigaction(sig, NULL, &before) != 0 ||
	    next.sigaction(sig, act, NULL) != 0)
		return false;
	atomic_store(&start, sig);
	return true;
}

bool hidden_end_start(void)
{
	int sig = atomic_exchange(&start, 0);

	if (sig == 0)
		return false;
	return is_set ? next.sigaction(sig, &programs, NULL) == 0 :
			cof_raw_rt_sigaction(sig, &before, NULL) == 0;
}

static bool is_handler(const struct sigaction *act)
{
	return act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN;
}

void hidden_pass_on(int sig, siginfo_t *info, void *context)
{
	const struct sigaction act = programs;

	if (!is_handler(&act))
		return;
	if (act.sa_flags & SA_SIGINFO)
		act.sa_sigaction(sig, info, context);
	else
		act.sa_handler(sig);
}

int hidden_sigaction(int sig, const struct sigaction *act,
		     struct sigaction *old)
{
	const struct cofl_events *events = native_events();
	struct hidden hidden = hidden_signals();

	if (sig == hidden.samples && sig != 0 && events->sigaction != NULL)
		return events->sigaction(sig, act, old);
	if (sig != hidden.start || sig == 0)
		return next.sigaction(sig, act, old);
	if (old != NULL)
		*old = programs;
	if (act != NULL) {
		programs = *act;
		programs.sa_flags |= SA_RESTORER;
		is_set = true;
	}
	return 0;
}

bool hidden_is_handled(int sig)
{
	struct sigaction now;

	return hidden_sigaction(sig, NULL, &now) == 0 && is_handler(&now);
}

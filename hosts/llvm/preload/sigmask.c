/*
 * sigmask.c - stand-ins for libc's calls that take a signal mask; see sigmask.h
 */
#include "preload/sigmask.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "preload/hidden.h"
#include "preload/next.h"

enum { MOST = 2 };

/* Signals to hide now: those that the program does not handle itself. */
struct list {
	int sig[MOST], n;
};

/* Did the program block them in this thread, as far as it knows? */
static _Thread_local sigset_t blocked;

static struct list list(void)
{
	struct hidden hidden = hidden_signals();
	struct list l = { .n = 0 };

	if (hidden.start != 0 && !hidden_is_handled(hidden.start))
		l.sig[l.n++] = hidden.start;
	if (hidden.samples != 0 && !hidden_is_handled(hidden.samples))
		l.sig[l.n++] = hidden.samples;
	return l;
}

/* *set without these signals, or set itself. */
static const sigset_t *without(const sigset_t *set, sigset_t *copy)
{
	struct list l = list();

	if (set == NULL || l.n == 0)
		return set;
	*copy = *set;
	for (int i = 0; i < l.n; i++)
		sigdelset(copy, l.sig[i]);
	return copy;
}

/* *set with them, which must not end a sleep. */
static const sigset_t *with(const sigset_t *set, sigset_t *copy)
{
	struct list l = list();

	if (set == NULL || l.n == 0)
		return set;
	*copy = *set;
	for (int i = 0; i < l.n; i++)
		sigaddset(copy, l.sig[i]);
	return copy;
}

/* The program does `how` with `set`. */
static void note(int sig, int how, const sigset_t *set)
{
	bool in = sigismember(set, sig) == 1;

	if (how == SIG_SETMASK ? in : how == SIG_BLOCK && in)
		sigaddset(&blocked, sig);
	else if (how == SIG_SETMASK || in)
		sigdelset(&blocked, sig);
}

STAND_IN
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	struct list l = list();
	sigset_t copy, given, before;
	int err;

	if (l.n == 0)
		return next.pthread_sigmask(how, set, old);
	before = blocked;
	given = set != NULL ? *set : blocked;	/* *old may be the same */
	err = next.pthread_sigmask(how, without(set, &copy), old);
	for (int i = 0; err == 0 && i < l.n; i++) {
		if (set != NULL)
			note(l.sig[i], how, &given);
		if (old != NULL && sigismember(&before, l.sig[i]) == 1)
			sigaddset(old, l.sig[i]);
	}
	return err;
}

STAND_IN
int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int err = pthread_sigmask(how, set, old);

	if (err == 0)
		return 0;
	errno = err;
	return -1;
}

void sigmask_show(int sig, sigset_t *mask)
{
	if (sigismember(&blocked, sig) == 1)
		sigaddset(mask, sig);
}

void sigmask_hide(sigset_t *mask)
{
	int sig = hidden_signals().samples;

	if (sig == 0 || sigismember(mask, sig) != 1 || hidden_is_handled(sig))
		return;
	sigdelset(mask, sig);
	sigaddset(&blocked, sig);
}

sigset_t sigmask_blocked(void)
{
	return blocked;
}

void sigmask_inherit(const sigset_t *creators)
{
	blocked = *creators;
}

STAND_IN
int sigwait(const sigset_t *set, int *sig)
{
	sigset_t copy;

	return next.sigwait(without(set, &copy), sig);
}

STAND_IN
int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	sigset_t copy;

	return next.sigwaitinfo(without(set, &copy), info);
}

STAND_IN
int sigtimedwait(const sigset_t *set, siginfo_t *info,
		 const struct timespec *timeout)
{
	sigset_t copy;

	return next.sigtimedwait(without(set, &copy), info, timeout);
}

STAND_IN
int sigpending(sigset_t *set)
{
	struct list l = list();
	int err = next.sigpending(set);

	for (int i = 0; err == 0 && i < l.n; i++)
		sigdelset(set, l.sig[i]);
	return err;
}

STAND_IN
int signalfd(int fd, const sigset_t *set, int flags)
{
	sigset_t copy;

	return next.signalfd(fd, without(set, &copy), flags);
}

STAND_IN
int sigsuspend(const sigset_t *set)
{
	sigset_t copy;

	return next.sigsuspend(with(set, &copy));
}

STAND_IN
int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
	  const sigset_t *set)
{
	sigset_t copy;

	return next.ppoll(fds, n, timeout, with(set, &copy));
}

STAND_IN
int pselect(int n, fd_set *r, fd_set *w, fd_set *e,
	    const struct timespec *timeout, const sigset_t *set)
{
	sigset_t copy;

	return next.pselect(n, r, w, e, timeout, with(set, &copy));
}

STAND_IN
int epoll_pwait(int fd, struct epoll_event *events, int n, int timeout,
		const sigset_t *set)
{
	sigset_t copy;

	return next.epoll_pwait(fd, events, n, timeout, with(set, &copy));
}

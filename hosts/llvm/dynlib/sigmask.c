/*
 * sigmask.c - stand-ins for libc's calls that take a signal mask
 */
#include "dynlib/sigmask.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>

#include "cof.h"

static int sampling;	/* the signal; constant once the program runs */

/* Did the program block it in this thread, as far as the program knows? */
static _Thread_local bool blocked;

void cofl_sigmask_init(int sig)
{
	sampling = sig;
}

/* Is there a signal to hide: one that the program does not handle itself? */
static bool hidden(void)
{
	struct sigaction now;

	return sampling != 0 && cof_sigaction(sampling, NULL, &now) == 0 &&
	       now.sa_handler == SIG_DFL;
}

/* *set without the signal, or set itself. */
static const sigset_t *without(const sigset_t *set, sigset_t *copy)
{
	if (set == NULL || !sigismember(set, sampling) || !hidden())
		return set;
	*copy = *set;
	sigdelset(copy, sampling);
	return copy;
}

/* *set with the signal, which must not end a sleep. */
static const sigset_t *with(const sigset_t *set, sigset_t *copy)
{
	if (set == NULL || sigismember(set, sampling) || !hidden())
		return set;
	*copy = *set;
	sigaddset(copy, sampling);
	return copy;
}

static int guest_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;
	bool in = set != NULL && sampling != 0 && sigismember(set, sampling);
	bool before = blocked;
	int err;

	if (sampling == 0 || !hidden())
		return pthread_sigmask(how, set, old);
	err = pthread_sigmask(how, without(set, &copy), old);
	if (err != 0)
		return err;
	if (set != NULL)
		blocked = how == SIG_SETMASK ? in :
			  how == SIG_BLOCK ? blocked || in : blocked && !in;
	if (old != NULL && before)
		sigaddset(old, sampling);
	return 0;
}

static int guest_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int err = guest_pthread_sigmask(how, set, old);

	if (err == 0)
		return 0;
	errno = err;
	return -1;
}

static int guest_sigwait(const sigset_t *set, int *sig)
{
	sigset_t copy;

	return sigwait(without(set, &copy), sig);
}

static int guest_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	sigset_t copy;

	return sigwaitinfo(without(set, &copy), info);
}

static int guest_sigtimedwait(const sigset_t *set, siginfo_t *info,
			      const struct timespec *timeout)
{
	sigset_t copy;

	return sigtimedwait(without(set, &copy), info, timeout);
}

static int guest_sigpending(sigset_t *set)
{
	int err = sigpending(set);

	if (err == 0 && sampling != 0 && hidden())
		sigdelset(set, sampling);
	return err;
}

static int guest_signalfd(int fd, const sigset_t *set, int flags)
{
	sigset_t copy;

	return signalfd(fd, without(set, &copy), flags);
}

static int guest_sigsuspend(const sigset_t *set)
{
	sigset_t copy;

	return sigsuspend(with(set, &copy));
}

static int guest_ppoll(struct pollfd *fds, nfds_t n,
		       const struct timespec *timeout, const sigset_t *set)
{
	sigset_t copy;

	return ppoll(fds, n, timeout, with(set, &copy));
}

static int guest_pselect(int n, fd_set *r, fd_set *w, fd_set *e,
			 const struct timespec *timeout, const sigset_t *set)
{
	sigset_t copy;

	return pselect(n, r, w, e, timeout, with(set, &copy));
}

static int guest_epoll_pwait(int fd, struct epoll_event *events, int n,
			     int timeout, const sigset_t *set)
{
	sigset_t copy;

	return epoll_pwait(fd, events, n, timeout, with(set, &copy));
}

uintptr_t cofl_sigmask_stand_in(const char *name)
{
	static const struct {
		const char *name;
		uintptr_t   address;
	} table[] = {
#define STAND_IN(name) { #name, (uintptr_t)guest_##name }
		STAND_IN(pthread_sigmask), STAND_IN(sigprocmask),
		STAND_IN(sigwait), STAND_IN(sigwaitinfo),
		STAND_IN(sigtimedwait), STAND_IN(sigpending),
		STAND_IN(signalfd), STAND_IN(sigsuspend), STAND_IN(ppoll),
		STAND_IN(pselect), STAND_IN(epoll_pwait),
#undef STAND_IN
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (strcmp(table[i].name, name) == 0)
			return table[i].address;
	return 0;
}

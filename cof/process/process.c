/*
 * process.c - the sampling signal; see process.h
 *
 * libcof installs its handler over the program's. A signal that is not libcof's
 * goes on to the former action, as the kernel would have done it:
 *
 *	on_signal_0 -> the handler that was there at first
 *	on_signal_1 -> a handler put over on_signal_0, which may call it in turn
 *	...
 *
 * The program may take the signal (sigaction(2) past libcof), and chain to
 * libcof's handler. To put the same function over the program's handler would
 * then make a circle. So each time libcof puts another of its functions on top,
 * each with a former action of its own.
 */
#include "process/process.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/flow.h"
#include "base/fork_code.h"
#include "base/fork_data.h"
#include "base/libc_signal.h"
#include "cof.h"
#include "process/former_action.h"
#include "process/interrupted_call.h"

char cof_process_signal_cookie[COF_COOKIE_COUNT];

static COF_FORK_DATA struct {
	pthread_mutex_t lock;	/* taken with the program's signals blocked: it
				 * may call sigaction(2) in a handler */
	_Atomic int     sig;	/* lock, to store; 0: none */
	unsigned        users;	/* lock */
	unsigned        top;	/* lock: level of the installed function */
	struct cof_former_action former[COF_SIGNAL_LEVELS];
	_Atomic(cof_signal_fn *) fn;
	_Atomic bool    itimer;
	cof_count       chained;
} us = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void signal_lock(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
	pthread_mutex_lock(&us.lock);
}

static void signal_unlock(const sigset_t *before)
{
	pthread_mutex_unlock(&us.lock);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* -- In the handler: async-signal-safe from here on ------------------------ */

/* Did one of libcof's timers raise it? */
static bool is_ours(const siginfo_t *info)
{
	if (info->si_code == SI_TIMER) {
		const char *cookie = info->si_value.sival_ptr;
		const char *ours = cof_process_signal_cookie;

		return cookie >= ours && cookie < ours + COF_COOKIE_COUNT;
	}
	return info->si_code == SI_KERNEL && info->si_signo == SIGPROF &&
	       atomic_load_explicit(&us.itimer, memory_order_relaxed);
}

/* libc's functions leave its own signals out of a mask that they set: so these
 * come in their own handler. */
static _Thread_local volatile bool is_serving
	__attribute__((tls_model("initial-exec")));

static void serve(int sig, siginfo_t *info, void *ucontext)
{
	cof_signal_fn *fn = atomic_load_explicit(&us.fn, memory_order_relaxed);

	if (!fn || (is_serving && cof_libc_signal_is(sig)))
		return;
	is_serving = true;
	fn(sig, info, ucontext);
	/* Signals of a handler that blocks fewer come inside it. */
	if (cof_libc_signal_is(sig))
		cof_interrupted_call_end(ucontext);
	is_serving = false;
}

static inline void on_signal(struct cof_former_action *f, int sig,
			     siginfo_t *info, void *ucontext)
{
	int saved = errno;

	/* libc's handler is for what it sends itself, and calls none below. */
	if (info->si_code == SI_TIMER && cof_libc_signal_is(sig))
		f = &us.former[0];
	if (is_ours(info)) {
		serve(sig, info, ucontext);
	} else {
		cof_count_add_shared(&us.chained, 1);
		cof_former_action_run(f, sig, info, ucontext);
	}
	errno = saved;
}

#define ON_SIGNAL(level)                                                       \
	static void on_signal_##level(int sig, siginfo_t *info,                \
				      void *ucontext)                          \
	{                                                                      \
		on_signal(&us.former[level], sig, info, ucontext);             \
	}
ON_SIGNAL(0)
ON_SIGNAL(1)
ON_SIGNAL(2)
ON_SIGNAL(3)

static cof_signal_fn *const on_signal_at[] = {
	on_signal_0, on_signal_1, on_signal_2, on_signal_3,
};
_Static_assert(sizeof(on_signal_at) / sizeof(*on_signal_at) ==
	       COF_SIGNAL_LEVELS, "a function for each level");

/* -- Outside the handler --------------------------------------------------- */

static int set_action(int sig, const struct sigaction *act,
		      struct sigaction *old)
{
	return cof_libc_signal_is(sig) ?
		cof_libc_signal_action(sig, act, old) :
		sigaction(sig, act, old);
}

/* Of which level is this handler? -1: it is not libcof's. */
static int level_of(const struct sigaction *act)
{
	for (int i = 0; i < COF_SIGNAL_LEVELS; i++)
		if (act->sa_flags & SA_SIGINFO &&
		    act->sa_sigaction == on_signal_at[i])
			return i;
	return -1;
}

/* [lock] Install the function of `level`. */
static int put_on_top(int sig, unsigned level, struct sigaction *old)
{
	struct sigaction ours = {
		.sa_sigaction = on_signal_at[level],
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
	};

	/* Else the program's handlers may leave libcof's by siglongjmp(3). */
	if (cof_libc_signal_is(sig))
		sigfillset(&ours.sa_mask);
	return set_action(sig, &ours, old);
}

/* [lock] */
static int install(int sig)
{
	struct sigaction old, replaced;
	int level;

	if (set_action(sig, NULL, &old) != 0)
		return -COF_E_PERM;
	level = level_of(&old);
	if (level < 0) {
		/* Before it is installed: a signal may come at once. And after:
		 * another thread may have set one meanwhile. */
		level = 0;
		cof_former_action_set(&us.former[0], &old);
		if (put_on_top(sig, 0, &replaced) != 0)
			return -COF_E_PERM;
		cof_former_action_set(&us.former[0], &replaced);
	}
	/* Else it stayed below a handler, which has put it back since. */
	us.top = (unsigned)level;
	us.sig = sig;
	return 0;
}

int cof_process_signal_install(int sig, cof_signal_fn *fn)
{
	sigset_t before;
	int err = 0;

	signal_lock(&before);
	if (us.users > 0 && us.sig != sig) {
		err = -COF_E_STATE;
	} else if (us.users == 0) {
		atomic_store_explicit(&us.fn, fn, memory_order_relaxed);
		err = install(sig);
	}
	if (err == 0)
		us.users++;
	signal_unlock(&before);
	return err;
}

void cof_process_signal_remove(int sig)
{
	struct sigaction now, then, ignore = { .sa_handler = SIG_IGN };
	sigset_t before;

	signal_lock(&before);
	if (us.users == 0 || us.sig != sig || --us.users > 0)
		goto out;
	atomic_store_explicit(&us.fn, NULL, memory_order_relaxed);
	us.sig = 0;
	/*
	 * If another handler is over libcof's, it may chain to libcof's, which
	 * then stays and passes everything on. Else the way is by SIG_IGN: so
	 * the kernel discards pending signals of a timer that is gone
	 * (sigaction(2), POSIX). libc's own signals would go with them: there
	 * libcof's handler stays, too.
	 */
	if (!cof_libc_signal_is(sig) && sigaction(sig, NULL, &now) == 0 &&
	    level_of(&now) == (int)us.top) {
		then = cof_former_action_get(&us.former[us.top]);
		sigaction(sig, &ignore, NULL);
		sigaction(sig, &then, NULL);
	}
out:
	signal_unlock(&before);
}

void cof_process_signal_forget(int sig)
{
	sigset_t before;

	signal_lock(&before);
	if (us.users > 1 && us.sig == sig)
		us.users--;
	signal_unlock(&before);
}

int cof_process_signal_check(int sig)
{
	struct sigaction now;
	sigset_t before;
	int stolen = 0;

	signal_lock(&before);
	if (us.users > 0 && us.sig == sig && us.top + 1 < COF_SIGNAL_LEVELS &&
	    set_action(sig, NULL, &now) == 0 && level_of(&now) < 0) {
		cof_former_action_set(&us.former[us.top + 1], &now);
		if (put_on_top(sig, us.top + 1, NULL) == 0) {
			us.top++;
			stolen = 1;
		}
	}
	signal_unlock(&before);
	return stolen;
}

COF_FORK_CODE void cof_process_signal_itimer(int ours)
{
	if (atomic_load_explicit(&us.itimer, memory_order_relaxed) !=
	    (ours != 0))
		atomic_store_explicit(&us.itimer, ours != 0,
				      memory_order_relaxed);
}

uint64_t cof_process_signal_chained(void)
{
	return cof_count_get(&us.chained);
}

int cof_sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct sigaction was;
	sigset_t before;
	int ret = 0, err = errno;

	/* Then it makes the one system call that the program expects, or none:
	 * libc refuses its own signals. */
	if (sig != atomic_load_explicit(&us.sig, memory_order_relaxed) ||
	    cof_libc_signal_is(sig))
		return sigaction(sig, act, old);
	signal_lock(&before);
	if (sig != us.sig) {
		ret = sigaction(sig, act, old);
		err = errno;
	} else {
		struct cof_former_action *f = &us.former[us.top];

		was = cof_former_action_get(f);
		/* It is libcof's handler, as sigaction(2) returned it: nothing
		 * changes. */
		if (act && level_of(act) < 0)
			cof_former_action_set(f, act);
		if (old)
			*old = was;
	}
	signal_unlock(&before);
	errno = err;
	return ret;
}

void cof_process_signal_lock(void)
{
	pthread_mutex_lock(&us.lock);
}

COF_FORK_CODE void cof_process_signal_unlock(void)
{
	pthread_mutex_unlock(&us.lock);
}

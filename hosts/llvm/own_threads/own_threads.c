/*
 * own_threads.c - see own_threads.h
 *
 * The signal is the one that glibc uses for the same purpose
 * (base/libc_signal.h). While the program has one thread, libc has no handler
 * for it. Later it has one, and then it makes the calls on libcof's threads as
 * well: the dynamic linker's list of threads has them.
 */
#include "own_threads/own_threads.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "base/libc_signal.h"
#include "base/rawcall.h"
#include "base/sigreturn.h"
#include "base/units.h"

#define SIGNAL   COF_LIBC_SIGNAL_SETXID
#define SA_FLAGS (COF_SA_RESTORER | SA_RESTART)

/* 0: free; below 0, that of a thread that ends. */
static _Atomic int       tid[OWN_THREADS_MAX];
static _Thread_local int mine;			/* place + 1 */

static struct {
	long number, a, b, c;
	_Atomic uint32_t left;
} call;

static _Atomic uint32_t n_making;
static _Atomic uint32_t calls;	/* 1: one is made */

#define MADE_WAIT_S 2		/* many times what it takes */
#define GONE_LOOKS_S 10000

static long futex(_Atomic uint32_t *word, int what, uint32_t value,
		  const struct timespec *most)
{
	return cof_raw6(SYS_futex, (long)word, what, value, (long)most, 0, 0);
}

static bool is_gone(int thread)
{
	return cof_raw(SYS_tgkill, getpid(), thread, 0, 0) == -ESRCH;
}

bool own_threads_begins(void)
{
	int self = (int)cof_raw(SYS_gettid, 0, 0, 0, 0);

	for (int i = 0; i < OWN_THREADS_MAX; i++) {
		int was = atomic_load(&tid[i]);

		if (was > 0 || (was < 0 && was != -self && !is_gone(-was)) ||
		    !atomic_compare_exchange_strong(&tid[i], &was, self))
			continue;
		mine = i + 1;
		return true;
	}
	return false;
}

/* A thread that exits hears no signals, and until it is gone it has the rights
 * that it had. So either a call sees that it ends, and waits until it is gone,
 * or this sees `calls`, and hears the call first. */
void own_threads_ends(void)
{
	_Atomic int *place;
	int self;

	if (mine == 0)
		return;
	place = &tid[mine - 1];
	self = atomic_load(place);
	for (;;) {
		atomic_store(place, -self);
		if (atomic_load(&calls) == 0)
			break;
		atomic_store(place, self);
		futex(&calls, FUTEX_WAIT, 1, NULL);
	}
	mine = 0;
}

/* Either this sees `calls`, or the caller sees n_making. */
void own_threads_making(void)
{
	for (;;) {
		atomic_fetch_add(&n_making, 1);
		if (atomic_load(&calls) == 0)
			return;
		own_threads_made();
		futex(&calls, FUTEX_WAIT, 1, NULL);
	}
}

void own_threads_made(void)
{
	if (atomic_fetch_sub(&n_making, 1) == 1)
		futex(&n_making, FUTEX_WAKE, INT32_MAX, NULL);
}

/* Not for ever: the maker may wait for a lock of the dynamic linker's that the
 * program's thread has, in a handler of which this is. */
static void wait_made(void)
{
	const struct timespec most = { .tv_sec = MADE_WAIT_S };
	uint32_t n;

	while ((n = atomic_load(&n_making)) != 0 &&
	       futex(&n_making, FUTEX_WAIT, n, &most) != -ETIMEDOUT)
		;
}

bool own_threads_is(void)
{
	return mine != 0;
}

void own_threads_forked(void)
{
	for (int i = 0; i < OWN_THREADS_MAX; i++)
		atomic_store(&tid[i], 0);
	atomic_store(&n_making, 0);
	atomic_store(&calls, 0);
}

/* -- Calls on all of them -------------------------------------------------- */

static void done(void)
{
	if (atomic_fetch_sub(&call.left, 1) == 1)
		futex(&call.left, FUTEX_WAKE, 1, NULL);
}

static void on_signal(int sig)
{
	(void)sig;
	/* prctl(2) looks at five. */
	cof_raw6(call.number, call.a, call.b, call.c, 0, 0, 0);
	done();
}

/* A program that make(1) or system(3) started may ignore the signal: that is no
 * handler of libc's. */
bool own_threads_libc_calls(void)
{
	struct cof_raw_sigaction now;

	return cof_raw_rt_sigaction(SIGNAL, NULL, &now) == 0 &&
	       now.handler != (void *)SIG_DFL &&
	       now.handler != (void *)SIG_IGN;
}

/* The thread there that hears signals, or 0. One that ends may have seen the
 * call, and hear it yet. No longer than for those that are being made. */
static int listening(_Atomic int *place)
{
	const struct timespec look = { .tv_nsec = COF_S_NS / GONE_LOOKS_S };
	int thread = 0;

	for (int i = 0; i < MADE_WAIT_S * GONE_LOOKS_S; i++) {
		thread = atomic_load(place);
		if (thread >= 0)
			return thread;
		if (is_gone(-thread))
			break;
		cof_raw(SYS_nanosleep, (long)&look, 0, 0, 0);
	}
	atomic_compare_exchange_strong(place, &thread, 0);
	return 0;
}

static void call_all(long number, long a, long b, long c)
{
	const struct cof_raw_sigaction act = {
		.handler = (void *)(uintptr_t)on_signal, .flags = SA_FLAGS,
		.restorer = (void *)(uintptr_t)cof_sigreturn,
		.mask = UINT64_MAX,
	};
	struct cof_raw_sigaction before;
	uint32_t left;

	call.number = number;
	call.a = a;
	call.b = b;
	call.c = c;
	atomic_store(&call.left, 1);
	cof_raw_rt_sigaction(SIGNAL, &act, &before);
	for (int i = 0; i < OWN_THREADS_MAX; i++) {
		int to = listening(&tid[i]);

		if (to == 0)
			continue;
		atomic_fetch_add(&call.left, 1);
		if (cof_raw(SYS_tgkill, getpid(), to, SIGNAL, 0) != 0)
			done();
	}
	done();
	while ((left = atomic_load(&call.left)) != 0)
		futex(&call.left, FUTEX_WAIT, left, NULL);
	cof_raw_rt_sigaction(SIGNAL, &before, NULL);
}

/* A thread that was made before has the rights of before, and is in the list;
 * one that is made later has its maker's, which have changed by then. */
void own_threads_call(long number, long a, long b, long c)
{
	atomic_store(&calls, 1);
	wait_made();
	call_all(number, a, b, c);
	atomic_store(&calls, 0);
	futex(&calls, FUTEX_WAKE, INT32_MAX, NULL);
}

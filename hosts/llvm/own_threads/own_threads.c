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

#define SIGNAL   COF_LIBC_SIGNAL_SETXID
#define SA_FLAGS (COF_SA_RESTORER | SA_RESTART)

static _Atomic int       tid[OWN_THREADS_MAX];	/* 0: free */
static _Thread_local int mine;			/* place + 1 */

static struct {
	long number, a, b, c;
	_Atomic uint32_t left;
} call;

static _Atomic uint32_t n_making;
static _Atomic uint32_t calls;	/* 1: one is made */

#define MADE_WAIT_S 2	/* many times what it takes */

static long futex(_Atomic uint32_t *word, int what, uint32_t value,
		  const struct timespec *most)
{
	return cof_raw6(SYS_futex, (long)word, what, value, (long)most, 0, 0);
}

bool own_threads_begins(void)
{
	int self = (int)cof_raw(SYS_gettid, 0, 0, 0, 0);

	for (int i = 0; i < OWN_THREADS_MAX; i++) {
		int none = 0;

		if (!atomic_compare_exchange_strong(&tid[i], &none, self))
			continue;
		mine = i + 1;
		return true;
	}
	return false;
}

/* A call may have its number, and has to be heard: a thread that exits hears no
 * signals. Either the caller does not see the number, or this sees `calls`. */
void own_threads_ends(void)
{
	if (mine != 0)
		atomic_store(&tid[mine - 1], 0);
	while (mine != 0 && atomic_load(&calls) != 0)
		futex(&calls, FUTEX_WAIT, 1, NULL);
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

bool own_threads_libc_calls(void)
{
	struct cof_raw_sigaction now;

	return cof_raw_rt_sigaction(SIGNAL, NULL, &now) == 0 &&
	       now.handler != NULL;
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
		int to = atomic_load(&tid[i]);

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

/*
 * own_threads.c - see own_threads.h
 *
 * The signal is the one that glibc uses for the same purpose (SIGSETXID, the
 * second real-time one). While the program has one thread, libc has no handler
 * for it. Later it has one, and then it makes the calls on libcof's threads as
 * well: the dynamic linker's list of threads has them.
 */
#include "own_threads/own_threads.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "base/rawcall.h"

#define SIGNAL     33
#define SA_RESTORE 0x04000000	/* what the kernel wants for `restorer` */
#define SA_FLAGS   (SA_RESTORE | 0x10000000 /* SA_RESTART */)

static _Atomic int       tid[OWN_THREADS_MAX];	/* 0: free */
static _Thread_local int mine;			/* place + 1 */

static struct {
	long number, a, b, c;
	_Atomic uint32_t left;
} call;

void own_threads_restorer(void);

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

void own_threads_ends(void)
{
	if (mine != 0)
		atomic_store(&tid[mine - 1], 0);
	mine = 0;
}

bool own_threads_is(void)
{
	return mine != 0;
}

void own_threads_forked(void)
{
	for (int i = 0; i < OWN_THREADS_MAX; i++)
		atomic_store(&tid[i], 0);
}

/* -- Calls on all of them -------------------------------------------------- */

static void done(void)
{
	if (atomic_fetch_sub(&call.left, 1) == 1)
		cof_raw6(SYS_futex, (long)&call.left, FUTEX_WAKE, 1, 0, 0, 0);
}

static void on_signal(int sig)
{
	(void)sig;
	cof_raw(call.number, call.a, call.b, call.c, 0);
	done();
}

bool own_threads_libc_calls(void)
{
	struct cof_raw_sigaction now;

	return cof_raw_rt_sigaction(SIGNAL, NULL, &now) == 0 &&
	       now.handler != NULL;
}

void own_threads_call(long number, long a, long b, long c)
{
	const struct cof_raw_sigaction act = {
		.handler = (void *)(uintptr_t)on_signal, .flags = SA_FLAGS,
		.restorer = (void *)(uintptr_t)own_threads_restorer,
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
		cof_raw6(SYS_futex, (long)&call.left, FUTEX_WAIT, left, 0, 0,
			 0);
	cof_raw_rt_sigaction(SIGNAL, &before, NULL);
}

/*
 * mem_account.c - how much memory libcof has; see mem_account.h
 *
 * Totals belong to the process, since the heap does. Each instance's stats
 * file has a copy of them, its account. To copy takes a lock; only a thread
 * that opens or closes an account waits for it:
 *
 *	changes totals                   holds the lock
 *	change totals                    load changes            (D)
 *	changes + 1            (C)       copy totals
 *	try the lock           (A)       unlock                  (B)
 *	taken: done                      load changes            (D)
 *	                                 they went on: try again
 *
 * A to D are sequentially consistent: if A finds the lock taken, the D after
 * that holder's B sees C, and the holder copies again. Besides, A pairs with B:
 * the accounts are the holder's. C pairs with D: a thread that sees the change
 * sees totals as new, so these need no order of their own.
 *
 * The lock word is the holder's pid. So if another thread held the lock while
 * this process was forked, the child sees that the lock is free.
 */
#include "memory/mem_account.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/flow.h"
#include "memory/mem.h"

#define ACCOUNTS 16		/* instances whose stats files have totals */

static _Atomic uint64_t total_bytes, total_blocks;
static _Atomic uint64_t changes;
static _Atomic int      holder;	/* pid; 0: free */
static struct cof_flow_memory *account[ACCOUNTS];	/* under the lock */

static bool try_lock(void)
{
	int self = getpid(), was = atomic_load(&holder);

	return was != self &&
	       atomic_compare_exchange_strong(&holder, &was, self);  /* A */
}

static void unlock(void)
{
	atomic_store(&holder, 0);	/* B */
}

static void copy_totals(struct cof_flow_memory *to)
{
	cof_count_set(&to->own_bytes,
		      atomic_load_explicit(&total_bytes, memory_order_relaxed));
	cof_count_set(&to->own_blocks,
		      atomic_load_explicit(&total_blocks,
					   memory_order_relaxed));
}

static void publish(void)
{
	uint64_t seen;

	do {
		if (!try_lock())
			return;
		seen = atomic_load(&changes);		/* D */
		for (int i = 0; i < ACCOUNTS; i++)
			if (account[i] != NULL)
				copy_totals(account[i]);
		unlock();
	} while (seen != atomic_load(&changes));	/* D */
}

void cof_mem_account_count(size_t bytes, size_t blocks)
{
	atomic_fetch_add_explicit(&total_bytes, bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&total_blocks, blocks, memory_order_relaxed);
	atomic_fetch_add(&changes, 1);		/* C */
	publish();
}

/* Replace `from` by `to`, at every place or at the first. */
static void replace(const struct cof_flow_memory *from,
		    struct cof_flow_memory *to, bool all)
{
	while (!try_lock())
		sched_yield();
	for (int i = 0; i < ACCOUNTS; i++) {
		if (account[i] != from)
			continue;
		account[i] = to;
		if (!all)
			break;
	}
	unlock();
}

void cof_mem_account(struct cof_flow_memory *flow)
{
	if (flow == NULL) {
		while (!try_lock())
			sched_yield();
		memset(account, 0, sizeof(account));
		unlock();
		return;
	}
	replace(NULL, flow, false);
	atomic_fetch_add(&changes, 1);		/* C */
	publish();
}

void cof_mem_unaccount(const struct cof_flow_memory *flow)
{
	if (flow != NULL)
		replace(flow, NULL, true);
}

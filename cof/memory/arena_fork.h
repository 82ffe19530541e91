/*
 * arena_fork.h - forks that need none of jemalloc's locks, if no thread is in
 * it
 *
 *	thread                        fork
 *	users + 1         (A)         0 -> SHUT         (C)
 *	  SHUT: not in, wait          or users are in: jemalloc's own hooks
 *	... in jemalloc ...           ... fork ...
 *	users - 1         (B)         users - SHUT      (D)
 *
 * jemalloc's hooks take each lock of each arena before a fork, and store to
 * each after it, in parent and child. That is a fault and the copy of a page
 * for some fifty pages, as much as the rest of the fork costs. A thread that is
 * not in holds none of these locks. So all calls of jemalloc are between enter
 * and leave; those of a compiler are between cof_compile_enter() and
 * cof_compile_leave().
 *
 * The child puts its hook off (OWES): most children never need jemalloc. It
 * runs before the child first uses jemalloc or makes its first thread. So it
 * runs on the thread that forked, as it must: it is about all other threads.
 *
 * Before jemalloc began, users are in the boot heap (boot_heap.h) for a moment
 * only, and a fork waits until they left.
 *
 * B, a release, and C, an acquire: a thread that was in left everything as a
 * child is to find it. D pairs with A likewise, for what a hook does meanwhile.
 * A thread may be in several times.
 *
 * Process-wide. Thread: any.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define COF_ARENA_FORK_SHUT (UINT32_C(1) << 31)
#define COF_ARENA_FORK_OWES (UINT32_C(1) << 30)	/* with SHUT */

extern _Atomic uint32_t cof_arena_fork_users;

/* Take back what enter added, run the hook that is owed, wait until it is
 * open. */
void cof_arena_fork_wait(void);

/* Run the hook that is owed, if any. A fork's child: before it makes a
 * thread. */
void cof_arena_fork_pay(void);

static inline void cof_arena_fork_enter(void)
{
	while (atomic_fetch_add_explicit(&cof_arena_fork_users, 1,
					 memory_order_acquire) &
	       COF_ARENA_FORK_SHUT)			/* A */
		cof_arena_fork_wait();
}

static inline void cof_arena_fork_leave(void)
{
	atomic_fetch_sub_explicit(&cof_arena_fork_users, 1,
				  memory_order_release);	/* B */
}

/*
 * From here to there jemalloc begins, for which the thread is in. Forks wait.
 */
void cof_arena_fork_beginning(void);
void cof_arena_fork_begun(void);

/* Register the hooks, if they are not yet: before libcof's, so that they are
 * the innermost. Returns what pthread_atfork(3) does. */
int cof_arena_fork_register(void);

/*
 * Register jemalloc's hooks, to be run in forks while users are in. For a host
 * that puts its own function in front of pthread_atfork(3); once in a process.
 * `meet` makes the calling thread one that jemalloc knows, before it forks: the
 * child's hook would add it to jemalloc's list of threads, which leads through
 * memory of theirs that the child does not have (process/stage_stack.h).
 * Returns what pthread_atfork(3) does.
 */
int cof_arena_fork_atfork(void (*prepare)(void), void (*parent)(void),
			  void (*child)(void), void (*meet)(void));

/*
 * arena_fork.h - who is in jemalloc, so that a fork need not go through its locks
 *
 *	thread                        fork
 *	users + 1         (A)         0 -> SHUT         (C)
 *	  SHUT: not in, wait          or someone is in: jemalloc's own hooks
 *	... in jemalloc ...           ... fork ...
 *	users - 1         (B)         users - SHUT      (D)
 *
 * jemalloc's hooks take each lock of each arena before a fork, and store to each
 * after it, in parent and child: a fault and the copy of a page for some fifty
 * pages, as much as the rest of the fork costs. Nobody holds a lock who is not in.
 * So all calls of jemalloc are between enter and leave, those of a compiler from
 * cof_compile_enter() to cof_compile_leave().
 *
 * The child's hook is left undone (OWES): most children never need jemalloc. It runs
 * before the first use of it, or the first thread the child makes, whichever comes first,
 * and so on the thread that forked, for it is about all the others.
 *
 * B, a release, and C, an acquire: who was in left all as a child is to find it. D
 * with A likewise, for what a hook does meanwhile. One may be in several times.
 *
 * Process-wide. Thread: any.
 */
#ifndef COF_MEMORY_ARENA_FORK_H
#define COF_MEMORY_ARENA_FORK_H

#include <stdatomic.h>
#include <stdint.h>

#define COF_ARENA_FORK_SHUT (UINT32_C(1) << 31)
#define COF_ARENA_FORK_OWES (UINT32_C(1) << 30)	/* with SHUT */

extern _Atomic uint32_t cof_arena_fork_users;

/* Take back what enter added, pay what is owed, and wait until it is open. */
void cof_arena_fork_wait(void);

/* In a fork's child: before it makes a thread. */
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
 * Register these hooks, jemalloc's, for when somebody is in. For who has the
 * process's pthread_atfork(3) go by its hands; once. As that returns.
 */
int cof_arena_fork_atfork(void (*prepare)(void), void (*parent)(void),
			void (*child)(void));

#endif /* COF_MEMORY_ARENA_FORK_H */

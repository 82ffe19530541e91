/*
 * arena_fork.c - the hooks around fork(2); see arena_fork.h
 */
#include "memory/arena_fork.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/single_threaded.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "memory/boot_heap.h"

COF_FORK_DATA _Atomic uint32_t cof_arena_fork_users;

/* Constant once `known`, which is stored with release and loaded with
 * acquire. */
static void (*slow_prepare)(void), (*slow_parent)(void), (*slow_child)(void);
static void (*slow_meet)(void);
static _Atomic bool known;
static _Atomic bool beginning;
static bool registered;

/* What prepare() did. api/fork_hooks.c lets one thread fork at a time. */
static COF_FORK_DATA enum { NOTHING, SHUT, WENT_SLOW } did;

static uint32_t users(void)
{
	return atomic_load_explicit(&cof_arena_fork_users,
				    memory_order_relaxed);
}

/*
 * Has jemalloc begun? Each of the two is sequentially consistent: who sees the
 * hooks that jemalloc registered when it began sees that it was beginning.
 */
static bool has_begun(void)
{
	return atomic_load(&known) && !atomic_load(&beginning);
}

void cof_arena_fork_beginning(void)
{
	cof_arena_fork_enter();
	atomic_store(&beginning, true);
}

void cof_arena_fork_begun(void)
{
	atomic_store(&beginning, false);
	cof_arena_fork_leave();
}

static void wait_until_open(void)
{
	while ((users() & (COF_ARENA_FORK_SHUT | COF_ARENA_FORK_OWES)) ==
	       COF_ARENA_FORK_SHUT)
		sched_yield();
}

/*
 * Until its hook has run, jemalloc's lists still have the threads of the
 * parent, whose memory new threads of this process get.
 */
void cof_arena_fork_pay(void)
{
	if (!(users() & COF_ARENA_FORK_OWES) ||
	    !(atomic_fetch_and_explicit(&cof_arena_fork_users,
					~COF_ARENA_FORK_OWES,
					memory_order_acquire) &
	      COF_ARENA_FORK_OWES))
		return;
	slow_child();
	atomic_fetch_sub_explicit(&cof_arena_fork_users, COF_ARENA_FORK_SHUT,
				  memory_order_release);	/* D */
}

void cof_arena_fork_wait(void)
{
	cof_arena_fork_leave();
	cof_arena_fork_pay();
	wait_until_open();
}

/* No other thread is in. */
static void meet(void)
{
	static _Thread_local bool met;

	if (!met && has_begun()) {
		slow_meet();
		met = true;
	}
}

/*
 * It runs after all other prepare hooks, since jemalloc's are registered first.
 * api/fork_hooks.c has blocked signals, so that no handler on this thread waits
 * for this thread to open again. If there is no other thread they are not
 * blocked, and this does not shut either. A child that still owes its hook
 * leaves it to its own child.
 */
static void prepare(void)
{
	uint32_t none;

	did = NOTHING;
	wait_until_open();
	if ((users() & COF_ARENA_FORK_OWES) ||
	    (__libc_single_threaded && (users() == 0 || !has_begun())))
		return;
	for (;;) {
		none = 0;
		if (atomic_compare_exchange_strong_explicit(
			    &cof_arena_fork_users, &none, COF_ARENA_FORK_SHUT,
			    memory_order_acquire, memory_order_relaxed)) {
			did = SHUT;					/* C */
			meet();
			return;
		}
		if (has_begun())
			break;
		sched_yield();
	}
	slow_prepare();
	cof_boot_heap_lock();
	did = WENT_SLOW;
}

static void in_parent(void)
{
	if (did == WENT_SLOW) {
		cof_boot_heap_unlock();
		slow_parent();
	} else if (did == SHUT) {
		atomic_fetch_sub_explicit(&cof_arena_fork_users,
					  COF_ARENA_FORK_SHUT,
					  memory_order_release);	/* D */
	}
}

/*
 * A thread of the parent's that was just coming in is not in the child. A
 * thread of the parent's that was in is counted for ever, so this child forks
 * the slow way.
 */
COF_FORK_CODE static void in_child(void)
{
	if (did == WENT_SLOW) {
		cof_boot_heap_unlock();
		slow_child();
	} else if (did == SHUT) {
		atomic_store_explicit(&cof_arena_fork_users, has_begun() ?
				      COF_ARENA_FORK_SHUT |
				      COF_ARENA_FORK_OWES : 0,
				      memory_order_relaxed);
	}
}

int cof_arena_fork_register(void)
{
	int err = 0;

	if (!registered)
		err = pthread_atfork(prepare, in_parent, in_child);
	registered = err == 0;
	return err;
}

int cof_arena_fork_atfork(void (*before)(void), void (*parent)(void),
			  void (*child)(void), void (*to_meet)(void))
{
	slow_meet = to_meet;
	slow_prepare = before;
	slow_parent = parent;
	slow_child = child;
	atomic_store(&known, true);
	return cof_arena_fork_register();
}

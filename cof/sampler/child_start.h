/*
 * child_start.h - when the loop begins anew in a child of fork(2)
 *
 *	fork      a timer on the CPU time of the child's one thread
 *	attach    in a child without a loop: another, of that thread's
 *	timer     is now a good moment? Then a thread: cof->begin_in_child()
 *	stop      no such thread will come; one that is under way is waited for
 *
 * A child that execs or ends early pays for making a timer, and no more. A
 * thread made at the fork would make each child a process of several threads,
 * which may not unshare(2) namespaces, and whose own forks cost more.
 *
 * The thread is made in the timer's signal handler. pthread_create(3) is not
 * async-signal-safe: whoever holds its locks must not be interrupted by it. So
 * it is called only where the handler interrupted code of the program's, in
 * code memory or the host's own_code, which holds no lock of libc's, and where
 * that was not itself in a handler. Otherwise the next signal looks again,
 * every 20 ms of CPU time.
 *
 * The program is in a handler, as far as one can see, if it blocks signals. But
 * it may block some for good. If they are the same at eight looks in a row, it
 * does: no handler that is waited for takes so long.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "process/stage.h"

struct cof;
struct cof_thread;

/*
 * Words hold cof_forked_count() of the process that wrote them, so they mean
 * nothing in a child of it.
 */
struct cof_child_start {
	_Atomic uint32_t claimed;	/* the loop begins here, or is not to */
	_Atomic uint32_t made;		/* futex: the thread is made, or could
					 * not be */
	_Atomic uint32_t over;		/* it has ended, or will not begin */
	struct cof_stage stage;
};

/* As in a process whose loop began at its start. Thread: the one that makes the
 * instance. */
void cof_child_start_init(struct cof_child_start *start);

/* In a fork's child without a loop: wait until `t` has used enough CPU time.
 * Otherwise it does nothing. Thread: t. */
void cof_child_start_arm(struct cof *cof, struct cof_thread *t);

/* [threads lock] Wait no longer. */
void cof_child_start_end(struct cof_thread *t);

/* From now on no loop begins in this process: it has, or never will. Thread:
 * any of the host's; blocks while a loop is beginning. */
void cof_child_start_forgo(struct cof *cof);

/* Is no loop beginning at this moment? Async-signal-safe. */
bool cof_child_start_is_over(const struct cof *cof);

/* Is the signal of such a timer? Async-signal-safe, as is look(), which may
 * make the thread. The signal found the program at `pc`, with `blocked`. */
bool cof_child_start_is(const siginfo_t *info);
void cof_child_start_look(struct cof_thread *t, uintptr_t pc,
			  const sigset_t *blocked);

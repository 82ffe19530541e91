/*
 * signal_stack.h - alternate stacks for handlers of libcof's
 *
 * Natively no signal comes that the program does not know of, so its stacks may
 * be small: a coroutine's of 4 KB. A sample takes nearly as much where there is
 * AVX-512. So each thread of the program has an alternate stack
 * (sigaltstack(2)), if it has set none of its own. It does not see ours:
 * sigaltstack(2) is stood in for.
 *
 * A handler of the program's with SA_ONSTACK would run there as well, where it
 * natively runs on the thread's stack. So as soon as there is one, the calling
 * thread, and each that begins later, has no alternate stack of ours. Threads
 * that are there already keep theirs, which has some room for such a handler. A
 * program that lets its own signals come on its small stacks has room for ours
 * there.
 *
 * An alternate stack of the program's may have room for its own handler only.
 * If it is less than 8 KB, ours is in its place, and the program is told of its
 * own. If it is less than 32 KB, or not known yet when the program sets its
 * handler, samples wait until the handler returns.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* The main thread, before the program begins: its area takes no memory until a
 * signal comes. */
void signal_stack_begin_main(void);

/* A thread of the program begins, and has been sampled for the last time. */
void signal_stack_begin(void);
void signal_stack_end(void);

/* The program calls sigaction(2); NULL: to look. */
void signal_stack_handler(const struct sigaction *act);

/* May the stack that it runs on have no room for a sample above it? */
bool signal_stack_is_small_for(const struct sigaction *act);

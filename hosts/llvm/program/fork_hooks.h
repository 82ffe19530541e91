/*
 * fork_hooks.h - the program may fork while another of its threads compiles
 *
 * Process-wide: hooks of pthread_atfork(3). The locks that a first call needs
 * are taken around a fork, so that the child, which has only the thread that
 * forked, finds them free and what they guard in order. Build workers do not
 * exist in the child, and nothing there waits for what they held.
 */
#ifndef COFL_PROGRAM_FORK_HOOKS_H
#define COFL_PROGRAM_FORK_HOOKS_H

struct cofl;

/* Once, after cof_start(): hooks nest as locks do, ours outside libcof's.
 * 0, or an error number. */
int cofl_fork_hooks_init(struct cofl *host);

#endif /* COFL_PROGRAM_FORK_HOOKS_H */

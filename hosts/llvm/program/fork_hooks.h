/*
 * fork_hooks.h - hold the compiler's locks over a fork
 *
 * Another thread may be compiling when the program forks. So the locks that the
 * child needs are taken around the fork. The child, which has the forking
 * thread only, finds them free, and what they guard consistent. Build workers
 * do not exist in the child, and nothing there waits for what they held.
 *
 * If another thread has one of the first two for longer than fork_wait_ms, the
 * fork goes on without it (fork_hooks.c). A child without the module's lock has
 * no compiler, unless that was loaded before.
 *
 * Process-wide: hooks of pthread_atfork(3).
 */
#pragma once

struct cofl;

/* Register the hooks: once, after cof_start(), so that they run outside
 * libcof's. 0, or an error number. */
int cofl_fork_hooks_init(struct cofl *host);

/* host.child_begins() */
int cofl_fork_hooks_child_begins(void *ctx);

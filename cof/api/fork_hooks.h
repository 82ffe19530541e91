/*
 * fork_hooks.h - what fork(2) must not break
 *
 * fork(2) by the guest: the child keeps all code as it was, on a copy of code
 * memory of its own; its loop is off, no thread, no timer. Builds on first call
 * go on working. vfork, posix_spawn and exec need nothing. A child made behind
 * libc's back (clone(2) without CLONE_VM, _Fork(3)) shares code memory with its
 * parent and may do nothing but exec or exit. A fork costs a copy of the code
 * pages in use, or none before parent or child writes to them, where host and loop
 * allow it (cof_codemem_lend). It must not come from a signal handler that
 * interrupted a call into libcof: it waits for locks that call may hold.
 *
 * If the copy cannot be made, or cannot be mapped in the child, the child too
 * shares code memory and may do nothing but run what is there, exec or exit. It
 * cannot harm its parent: its writable alias is closed (cof_code_range_close). Nor
 * does the parent free code again, but in the second case only from SAM's next
 * window on, up to half a second after the fork: a child that runs code that
 * the parent retired just before may then find it gone.
 */
#ifndef COF_API_FORK_HOOKS_H
#define COF_API_FORK_HOOKS_H

#include <stdbool.h>

struct cof;

/* The hooks are there, once for the process, from now on. False: no memory. */
bool cof_fork_hooks_install(void);

/*
 * Take part in fork handling, from cof_start() to cof_free(). Every lock of the
 * instance must be made before and destroyed after. 0 or -COF_E_NOMEM.
 */
int  cof_fork_hooks_enter(struct cof *cof);
void cof_fork_hooks_leave(struct cof *cof);

#endif /* COF_API_FORK_HOOKS_H */

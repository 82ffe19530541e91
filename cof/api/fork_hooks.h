/*
 * fork_hooks.h - what fork(2) does to locks and code memory
 *
 *	fork(2)                     the child keeps all code as it was, in its
 *	                            own copy of code memory; its loop is off: no
 *	                            thread; builds at a first call still work.
 *	                            The loop begins anew once the child has used
 *	                            enough CPU time (sampler/child_start.h)
 *	vfork, posix_spawn, exec    need nothing
 *	clone(2) without CLONE_VM,  the child shares its parent's code memory,
 *	_Fork(3)                    and may do nothing but exec or exit
 *
 * A fork costs a copy of the code pages in use. Where host and loop allow it
 * (cof_codemem_lend), they are copied only when parent or child writes to them.
 *
 * A signal handler that interrupted a call into libcof must not fork: the fork
 * waits for locks that the call may hold.
 *
 * If the copy cannot be made, or the child cannot map it, the child shares code
 * memory too, and may do nothing but run the code there, exec or exit. It
 * cannot harm its parent, since its writable alias is closed
 * (cof_code_range_close). And the parent never frees code again. But if the
 * child could not map the copy, the parent learns of it in SAM's next window
 * only, up to half a second after the fork. Until then the parent may free code
 * that it retired just before the fork and that the child runs.
 */
#pragma once

#include <stdbool.h>

struct cof;

/* Install the hooks, once for the process. False: no memory. */
bool cof_fork_hooks_install(void);

/*
 * Take part in fork handling, from cof_start() to cof_free(). All locks of the
 * instance must be made before _enter(), and destroyed after _leave(). 0 or
 * -COF_E_NOMEM.
 */
int  cof_fork_hooks_enter(struct cof *cof);
void cof_fork_hooks_leave(struct cof *cof);

/*
 * barrier.h - membarrier(2): no processor goes on with instructions it fetched
 *
 * If code was changed, or memory gets other code, all threads see that once
 * membarrier(2) has made each of them execute a serializing instruction (Intel
 * SDM volume 3, "Handling Self- and Cross-Modifying Code").
 *
 * Thread: any, not under the code lock.
 */
#pragma once

#include <stdbool.h>

struct cof;

/*
 * All threads of the process execute a serializing instruction before this
 * returns 0. -COF_E_PERM: the kernel has, or allows, no membarrier(SYNC_CORE).
 * Process-wide: the first call registers the process.
 */
int cof_barrier_sync_core(void);

/*
 * End a batch of an instance's patches: after this, every thread that comes to
 * a stub, site or slot sees where it leads now. Reclaim calls it too before it
 * searches, so a missing barrier costs only time.
 *
 * False: the kernel refuses it, because of a seccomp filter that came later,
 * for example. The patches are right either way, but then old code is in reach
 * for ever: from now on libcof frees none, and replaces no version that may
 * have run.
 */
bool cof_barrier(struct cof *cof);

/* Has no barrier failed yet? Asks the kernel if there was none yet. */
bool cof_barrier_works(struct cof *cof);

/* Has a barrier failed? Does not ask the kernel. */
bool cof_barrier_failed(const struct cof *cof);

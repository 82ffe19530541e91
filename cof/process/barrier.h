/*
 * barrier.h - no processor goes on with instructions that it fetched before
 *
 * Code that was changed, or memory that gets other code, is seen by all threads
 * once membarrier(2) has made each of them execute a serializing instruction
 * (Intel SDM volume 3, "Handling Self- and Cross-Modifying Code").
 *
 * Thread: any, not under the code lock.
 */
#ifndef COF_PROCESS_BARRIER_H
#define COF_PROCESS_BARRIER_H

#include <stdbool.h>

struct cof;

/*
 * All threads of the process execute a serializing instruction before this
 * returns; without membarrier(SYNC_CORE) in the kernel, -COF_E_PERM. Process-
 * wide: registers the process when it is first called.
 */
int cof_barrier_sync_core(void);

/*
 * End a batch of patches of an instance: after this every thread that comes to
 * a stub, site or slot sees where it leads now. Reclaim does so too before it
 * looks, so a barrier that is missing costs nothing but time.
 *
 * False: the kernel refuses it, by a seccomp filter that came later, say. What
 * was patched is right either way, but old code is in reach for ever then: from
 * now on none is freed, and no version that may have run is replaced.
 */
bool cof_barrier(struct cof *cof);

/* Has no barrier failed yet? Asks the kernel if nobody did. */
bool cof_barrier_works(struct cof *cof);

/* Has one failed? Asks nobody. */
bool cof_barrier_failed(const struct cof *cof);

#endif /* COF_PROCESS_BARRIER_H */

/*
 * reclaim.h - give back the code of replaced versions, once nobody is inside
 *
 * A round looks at all retired versions at once:
 *
 *	1. unlinked, and the barrier has passed: no thread can enter any more
 *	2. every attached thread's registers and stack, and every listed stack,
 *	   are searched for words that point into one (scan.h)
 *	3. not found: filled with trap bytes, out of the index, QUARANTINE
 *	4. a period later: host->discard(), the block is freed, FREE
 *	5. SAM and PRE have turned since 3: the record is freed
 *
 * No thread is stopped or woken for it.
 *
 * Thread: P/O, but for cof_reclaim_retire().
 */
#ifndef COF_PATCHER_RECLAIM_H
#define COF_PATCHER_RECLAIM_H

#include <stdbool.h>
#include <stdint.h>

struct cof;
struct cof_version;
struct cof_reclaim;

struct cof_reclaim *cof_reclaim_new(void);	/* NULL: no memory */
void cof_reclaim_free(struct cof *cof);		/* discards all that is left */

/* Take a version that nothing leads to any more. Any thread, code lock held. */
void cof_reclaim_retire(struct cof *cof, struct cof_version *version);

/*
 * One round. `wait_ns`: how long to wait for running threads to answer. Returns
 * the number of versions still retired or in quarantine.
 */
uint32_t cof_reclaim_round(struct cof *cof, uint64_t wait_ns);

#endif /* COF_PATCHER_RECLAIM_H */

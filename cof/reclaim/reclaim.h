/*
 * reclaim.h - give back the code of replaced versions, once nobody is inside
 *
 * A round looks at all retired versions at once:
 *
 *	1. unlinked, and the barrier has passed: no thread can enter any more
 *	2. every attached thread's registers and stack, and every listed stack,
 *	   are searched for words that point into one (scan.h)
 *	3. not found: out of the index; if the code is in a block of ours,
 *	   host->discard() and the whole block is filled with trap bytes:
 *	   QUARANTINE. With host->locate() only once SAM has turned, or it would
 *	   ask whose a sample is from when somebody was inside
 *	4. a period later: the block is freed; host->discard() for code that the
 *	   host keeps itself: FREE
 *	5. SAM has turned since 3, then PRE, then P/O: the record is freed
 *
 * discard() comes before the traps since a host keeps things beside its code
 * that others read until it is told, unwind tables above all.
 *
 * No thread is stopped or woken for it. A search that brought nothing is put
 * off the longer the more often that happens, and never takes more than a
 * hundredth of a processor: code in a loop that never ends is not looked for
 * all day.
 *
 * Without P/O (mode off, or stopped) nothing is freed before cof_free().
 *
 * Thread: P/O.
 */
#ifndef COF_RECLAIM_RECLAIM_H
#define COF_RECLAIM_RECLAIM_H

#include <stdbool.h>
#include <stdint.h>

struct cof;
struct cof_version;
struct cof_reclaim;

struct cof_reclaim *cof_reclaim_new(void);	/* NULL: no memory */
void cof_reclaim_free(struct cof *cof);		/* discards all that is left */

/*
 * What others want to know of a version on its way out; cof->hooks, set before
 * P/O runs. Each is called by P/O under the code lock, and may be NULL.
 */
struct cof_reclaim_hooks {
	/* A round took it: it is not to become current again. */
	void (*retired)(struct cof *cof, struct cof_version *version);
	/* Nobody is inside: it is out of the index. */
	void (*gone)(struct cof *cof, struct cof_version *version);
};

/* Discard and free a version and its record, whoever knows it: cof_free(). */
void cof_reclaim_end(struct cof *cof, struct cof_version *version);

/*
 * One round. `wait_ns`: how long to wait for running threads to answer. Returns
 * the number of versions still retired or in quarantine; 0 if code is never to
 * be freed. At the end of it the index's garbage is collected, which may take
 * as long as a thread stays in a liburcu read section (code/jitinfo.h).
 */
uint32_t cof_reclaim_round(struct cof *cof, uint64_t wait_ns);

/*
 * Is there anything left that a round may bring forward? Also records of code
 * that is free, the index's garbage, and a barrier that failed, which a round
 * makes known; but no version, once code is never to be freed.
 */
bool cof_reclaim_has_work(struct cof *cof);

#endif /* COF_RECLAIM_RECLAIM_H */

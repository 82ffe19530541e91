/*
 * reclaim.h - free the code of replaced versions, once no thread is inside
 *
 * A round looks at all retired versions at once:
 *
 *	1. unlinked, and the barrier has passed: no thread can enter any more
 *	2. every attached thread's registers and stack, and every listed stack,
 *	   are searched for words that point into a version (scan.h)
 *	3. none found: the version leaves the index, QUARANTINE. If its code is
 *	   in a block of libcof's: host->discard(), and the whole block is
 *	   filled with trap bytes. With host->locate() only once SAM has turned,
 *	   or SAM would ask about samples from when a thread was inside
 *	4. a period later: the block is freed; host->discard() for code in the
 *	   host's own memory: FREE
 *	5. SAM has turned since 3, then PRE, then P/O: the record is freed
 *
 * discard() comes before the traps: a host keeps things beside its code, unwind
 * tables above all, that other threads read until the host is told.
 *
 * No thread is stopped or woken. After each search that finds nothing, the next
 * one waits longer, and searches never take more than a hundredth of a
 * processor. So code in a loop that never ends is not searched for all day.
 *
 * Without P/O (mode off, or stopped) nothing is freed before cof_free().
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof;
struct cof_version;
struct cof_reclaim;

struct cof_reclaim *cof_reclaim_new(void);	/* NULL: no memory */
void cof_reclaim_free(struct cof *cof);		/* discards all versions left */

/* In a fork's child, before P/O begins anew: what was retired in the parent is
 * never freed. 0 or -COF_E_NOMEM. */
int  cof_reclaim_in_child(struct cof *cof);

/* [code] cof_reclaim_disable(). */
void cof_reclaim_disable_locked(struct cof *cof, const char *why);

/*
 * Called for each version that reclaim takes; in cof->hooks, set before P/O
 * runs. P/O calls them under the code lock. Each may be NULL.
 */
struct cof_reclaim_hooks {
	/* A round took it: it must not become current again. */
	void (*retired)(struct cof *cof, struct cof_version *version);
	/* No thread is inside, and it is out of the index. */
	void (*gone)(struct cof *cof, struct cof_version *version);
};

/* For cof_free(): discard and free a version and its record at once. */
void cof_reclaim_end(struct cof *cof, struct cof_version *version);

/*
 * One round. It waits at most `wait_ns` for running threads to answer. Returns
 * the number of versions still retired or in quarantine; 0 if code is never
 * freed. At its end the round collects the index's garbage, which blocks as
 * long as a thread stays in a liburcu read section (code/jitinfo.h).
 */
uint32_t cof_reclaim_round(struct cof *cof, uint64_t wait_ns);

/*
 * Is there work for a round? That is: versions, unless code is never freed;
 * records of code that is free; the index's garbage; a barrier that failed,
 * which a round makes known.
 */
bool cof_reclaim_has_work(struct cof *cof);

/* ns until a round may do something of that; UINT64_MAX: there is no work. A
 * round before is right, and in vain. */
uint64_t cof_reclaim_due_ns(struct cof *cof);

/*
 * history.h - the static predictor: what earlier runs of this program showed
 *
 *	cof_start()  begin    ask the store, decide, maybe turn mode auto off
 *	host         arrived  a method has its first version: is it known hot?
 *	P/O          next     take those that are, to build them at once
 *	host         ready    the program is about to begin: wait for what is
 *	                      at hand
 *	SAM          begun    a program that was off takes longer than expected
 *	P/O          turn     now and then: a record of the run so far
 *	cof_stop(),  end      the record, and wait for it a little
 *	cof_exit()
 *
 * Nothing here fails: without a store, or an answer in time, the program runs
 * as one that is not known. docs/history.md has what is kept and why.
 */
#ifndef COF_HISTORY_HISTORY_H
#define COF_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"

struct cof;

/*
 * Before the loop is made. In mode auto it may set cof->begins_cpu_ns. Waits for
 * the store for at most option history_wait_ms.
 */
void cof_history_begin(struct cof *cof);

/* Is that still to be decided? SAM, and who makes the instance. */
bool cof_history_waits(const struct cof *cof);

/* SAM, when that time has come: decides if that was put off, and returns the time
 * at which the loop begins, by what is known of the program; 0: now. */
uint64_t cof_history_decide_late(struct cof *cof);

/* A method that was known to be hot, and how to build it. */
struct cof_history_known {
	struct cof_method *method;
	enum cof_plan      plan;
	double             speedup;	/* as it was measured, else promised */
	uint32_t           proven_permille;	/* the former, if it was faster and
						 * the host does not keep what was
						 * built; else 0 */
	double             share;	/* of the samples, 0 to 1 */
	uint64_t           expected_ns;	/* CPU time it will run, if this run is
					 * like those before, */
	uint32_t           runs;	/* of which so many are remembered */
	const void        *profile;	/* for profile_load(); NULL: none. Good
					 * until cof_history_free() */
	size_t             profile_bytes;
};

/* The method got its first version. The thread that added it. */
void cof_history_arrived(struct cof *cof, struct cof_method *method);

/* The loop begins only now, so those that arrived so far may be taken. SAM. */
void cof_history_begun(struct cof *cof);

/* P/O: the next one that arrived, or false: no more for now. */
bool cof_history_next(struct cof *cof, struct cof_history_known *out);

/* P/O: what it took so far has become what it will. */
void cof_history_settled(struct cof *cof);

/* The host has loaded its program. Waits until P/O has settled all that arrived,
 * for at most option history_wait_ms, if the host may have kept some of it. */
void cof_history_ready(struct cof *cof);

/* P/O: write a record, if it is time to. */
void cof_history_turn(struct cof *cof);

/* P/O: how long until then; UINT64_MAX: never. */
uint64_t cof_history_due_ns(const struct cof *cof);

/* The run is over. Blocks for at most option history_wait_ms. */
void cof_history_end(struct cof *cof);

/* NULL in cof->history is fine, for all of these. */
void cof_history_free(struct cof *cof);

#endif /* COF_HISTORY_HISTORY_H */

/*
 * history.h - the static predictor: what earlier runs of this program showed
 *
 *	cof_start()  begin    ask the store and decide; mode auto may be off
 *	host         arrived  a method has its first version: is it known hot?
 *	P/O          next     take a known-hot method, to build it at once
 *	host         ready    the program is about to begin: wait for what is
 *	                      at hand
 *	SAM          begun    a program that was off takes longer than expected
 *	P/O          turn     now and then: a record of the run so far
 *	cof_stop(),  end      the record, and wait for it a little
 *	cof_exit()
 *
 * Nothing here fails. Without a store, or without an answer in time, the
 * program runs as an unknown one. docs/history.md says what is stored and why.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"
#include "measure/unproven_budget.h"

struct cof;

/*
 * Called before the loop is made. In mode auto it may set cof->begins_cpu_ns.
 * Waits for the store for at most option history_wait_ms.
 */
void cof_history_begin(struct cof *cof);

/*
 * In a fork's child, in which the loop begins anew: a history of the child's
 * own, which is to decide once SAM runs. Sets cof->begins_cpu_ns.
 */
void cof_history_begin_in_child(struct cof *cof);

/* Is the verdict still to be decided? Thread: SAM, or the instance's maker. */
bool cof_history_waits(const struct cof *cof);

/* SAM, when cof->begins_cpu_ns has come: decides, if that was put off. Returns
 * the process CPU time at which the loop begins, by what is known of the
 * program; 0: now. */
uint64_t cof_history_decide_late(struct cof *cof);

/* A method that was known to be hot, and how to build it. */
struct cof_history_known {
	struct cof_method *method;
	uint32_t           again;	/* P/O has put it off so often */
	enum cof_plan      plan;
	double             speedup;	/* measured, or else promised */
	/* The measured speed-up, if above 1000 and the host caches no versions;
	 * else 0. */
	uint32_t           proven_permille;
	/* Speed over the first version, as trials measured it, one after the
	 * other; 0: none did. */
	uint32_t           measured_permille;
	double             share;	/* of the samples, 0 to 1 */
	uint64_t           expected_ns;	/* CPU time of the method, if this run
					 * is like those before */
	uint32_t           runs;	/* how many of those are remembered */
	struct cof_unproven_past past;	/* of the program */
	const void        *profile;	/* for profile_load(); NULL: none. Good
					 * until cof_history_free() */
	size_t             profile_bytes;
};

/* The method got its first version. Thread: the one that added it. */
void cof_history_arrived(struct cof *cof, struct cof_method *method);

/* Is a method of this name in the hot set? False also if that is not known yet.
 * Thread: any. */
bool cof_history_was_hot(const struct cof *cof, const char *name);

/* The loop begins only now: methods that arrived so far may be taken.
 * Thread: SAM. */
void cof_history_begun(struct cof *cof);

/* P/O: the next method that arrived. False: no more for now. */
bool cof_history_next(struct cof *cof, struct cof_history_known *out);

/* P/O: next() is to bring the method once more, in another generation. */
void cof_history_later(struct cof *cof, const struct cof_history_known *known);

/* P/O: is there such a method? */
bool cof_history_has_later(const struct cof *cof);

/* P/O: nothing more is to be done for the methods taken so far. */
void cof_history_settled(struct cof *cof);

/* The host has loaded its program. If the host caches versions, this waits
 * until P/O has settled all that arrived, for at most option
 * history_wait_ms. */
void cof_history_ready(struct cof *cof);

/* P/O: hand over a record of the run so far, if one is due. */
void cof_history_turn(struct cof *cof);

/* P/O: nanoseconds until a record is due; UINT64_MAX: never. */
uint64_t cof_history_due_ns(const struct cof *cof);

/* The run is over: save its last record. Blocks for at most option
 * history_wait_ms. */
void cof_history_end(struct cof *cof);

/* cof->history may be NULL, for all of these. */
void cof_history_free(struct cof *cof);

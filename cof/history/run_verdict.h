/*
 * run_verdict.h - from a program's past to what auto does now
 *
 *	no run on this CPU with this libcof     FIRST    full
 *	none with the loop on, or the last
 *	  so many were off                      RETRY    full, hot set at once
 *	the latest were all too short, and
 *	  none gained                           SHORT    off, until it is not
 *	the latest long ones with the loop on
 *	  gained less than they cost, and what
 *	  is hot was tried and measured, or
 *	  had its chances                       NO_GAIN  off, until it takes
 *	                                                 four times as long
 *	these gained what is believed, and
 *	  nothing of it was measured            COMPARE  off, once or twice
 *	                                        NO_GAIN  after one that took no
 *	                                                 longer
 *	a hot set is known                      WARM     full, hot set at once
 *	else                                    FULL     full
 *
 * The first that holds; what gained and cost mean says run_evidence.h. A run that was short
 * says nothing about gains: nothing is built in that time. Nor do two longer ones if
 * most of what is hot came to no version in them, for the machine was busy or other
 * things were built first, or if what was built may gain and no trial of it got far;
 * six do. And none is turned off of which a fiftieth of the time was measured to be
 * saved: the builds that cost more are behind it.
 *
 * Some promises no audit ever comes to: code that is entered once and stays cannot be
 * taken out and put back. Runs as a whole can be, if they are alike: one without
 * libcof that takes longer than the fastest with it that built next to nothing, by all
 * that is believed and a twentieth, confirms it, and so do two that take longer by half
 * of it; a shorter one refutes it.
 *
 * Pure: no store, no thread, no clock. cof-stats --why prints the evidence and
 * the verdict, from the same two functions.
 */
#ifndef COF_HISTORY_RUN_VERDICT_H
#define COF_HISTORY_RUN_VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include "history/run_evidence.h"

enum cof_history_verdict
cof_history_run_verdict(const struct cof_run_evidence *evidence,
		   const struct cof_history_rules *rules);

/* From which CPU time on the loop is on, should the run take so long; 0: at once. */
uint64_t cof_history_start_ns(enum cof_history_verdict verdict,
			       const struct cof_run_evidence *evidence,
			       const struct cof_history_rules *rules);

/* "warm"; and the sentence for people: what it does, and since what. */
const char *cof_history_verdict_name(enum cof_history_verdict verdict);
void cof_history_explain(enum cof_history_verdict verdict,
			 const struct cof_run_evidence *evidence,
			 const struct cof_history_rules *rules,
			 char *buf, size_t bytes);

#endif /* COF_HISTORY_RUN_VERDICT_H */

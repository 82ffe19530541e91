/*
 * run_verdict.h - what mode auto does now, by the evidence of earlier runs
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
 * The first row that holds is the verdict. run_evidence.h says what gained and
 * cost mean. A short run says nothing about gains: nothing is built in that
 * time. Two longer ones say nothing either, but six do, where
 *
 *	- most of what is hot came to no version in them, for the machine was
 *	  busy or other things were built first, or
 *	- what was built may gain, and no trial of it got far.
 *
 * A program that was measured to save a fiftieth of its time is not turned off:
 * the builds that cost more are behind it.
 *
 * No audit ever comes to some promises: code that is entered once and stays
 * cannot be taken out and put back. Whole runs can be compared, if they are
 * alike: one without libcof, and the fastest with it that built next to
 * nothing. The former takes longer by
 *
 *	all that is believed, at least a twentieth  one such run confirms it
 *	half of it                                  two such runs confirm it;
 *	                                            or the first run, that knew
 *	                                            nothing, if it is a tenth
 *	less, also with as much added as the
 *	  judged runs differ by                     one such run refutes it
 *
 * Pure: no store, no thread, no clock. cof-stats --why prints the evidence and
 * the verdict, from the same two functions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history/run_evidence.h"

enum cof_history_verdict
cof_history_run_verdict(const struct cof_run_evidence *evidence,
			const struct cof_history_rules *rules);

/* Was a run that knew nothing, or one that was off, longer by a tenth than the
 * fastest of the judged? Some of what was built helps then, whatever trials
 * came to. */
bool cof_history_runs_gained(const struct cof_run_evidence *evidence);

/* CPU time from which the loop is on, if the run takes so long; 0: at once. */
uint64_t cof_history_start_ns(enum cof_history_verdict verdict,
			      const struct cof_run_evidence *evidence,
			      const struct cof_history_rules *rules);

/* The verdict's name, such as "warm". */
const char *cof_history_verdict_name(enum cof_history_verdict verdict);

/* Write the sentence for people to `buf`, cut to `bytes`: what mode auto does,
 * and why. */
void cof_history_explain(enum cof_history_verdict verdict,
			 const struct cof_run_evidence *evidence,
			 const struct cof_history_rules *rules,
			 char *buf, size_t bytes);

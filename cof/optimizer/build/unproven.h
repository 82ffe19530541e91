/*
 * unproven.h - may a build begin, though none has helped yet?
 *
 * Mode auto alone asks (option unproven_pct): it decides by itself what a
 * program pays for. In the other modes the user has decided. What is refused is
 * not lost. A method that is full waits, and the end of the run has its counts
 * built (option auto_finish).
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

struct cof;
struct cof_build;
struct cof_history_known;

/* How much more builds may spend, in ns of CPU time; INFINITY: no limit. */
double cof_unproven_left_ns(const struct cof *cof);

/* What earlier runs showed of a method, and of the program. */
void cof_unproven_known(struct cof *cof, const struct cof_history_known *known);

/* May methods begin to count? */
bool cof_unproven_may_count(const struct cof *cof);

/* What may be spent on a build that counts, or on another. */
double cof_unproven_left_for_ns(const struct cof *cof, bool counts);

/* Is it too early in the run to count what earlier runs found hot? */
bool cof_unproven_counts_later(const struct cof *cof);

/*
 * P/O's turn: do methods count until the next one? What that costs is spent,
 * too. Returns whether the run cannot afford any more of it; then what was
 * counted has to do.
 */
bool cof_unproven_counting(struct cof *cof, bool counts);

/* Is there a limit to it? */
bool cof_unproven_counts_little(const struct cof *cof);

/* Queued, or ended: all builds of a unit, of which `first` is the first. Cached
 * versions are no builds. */
void cof_unproven_queued(struct cof *cof, const struct cof_build *first);
void cof_unproven_ended(struct cof *cof, const struct cof_build *first);

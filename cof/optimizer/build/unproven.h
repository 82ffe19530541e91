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

/* How much more builds may spend, in ns of CPU time; INFINITY: no limit. */
double cof_unproven_left_ns(const struct cof *cof);

/* Queued, or ended: all builds of a unit, of which `first` is the first. Cached
 * versions are no builds. */
void cof_unproven_queued(struct cof *cof, const struct cof_build *first);
void cof_unproven_ended(struct cof *cof, const struct cof_build *first);

/*
 * trial_tell.h - what the host is told of a trial, for the runs to come
 *
 * It is told of versions with a profile, which it may have cached.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

struct cof_measure;
struct cof_member;
struct cof_trial;

/* B stays, or not. `speedup`: over A; 0: not measured. */
void cof_trial_tell_result(const struct cof_member *member, bool keep_b,
			   double speedup);

/* Which members threads do not leave. */
void cof_trial_tell_unseen(const struct cof_trial *trial);

/* What is likely by now, though it may change. */
void cof_trial_tell_so_far(struct cof_trial *trial,
			   const struct cof_measure *measure);

/* What was measured by now, for the next run's trial to go on from there. */
void cof_trial_tell_seen(struct cof_trial *trial,
			 const struct cof_measure *measure);

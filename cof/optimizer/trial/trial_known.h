/*
 * trial_known.h - what is known of B while its trial lasts
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

struct cof_measure;
struct cof_member;
struct cof_trial;

/*
 * Does what an earlier run measured of B stand? It does until this trial finds
 * one of the two faster, or knows about as much: most runs end before their
 * trials do, and would leave in its place what little they had seen so far.
 */
bool cof_trial_known_is_proven(const struct cof_member *member,
			       const struct cof_measure *now);

bool cof_trial_known_any_proven(const struct cof_trial *trial,
				const struct cof_measure *now);

/* Store what is known of B so far, in this trial or an earlier run, for the
 * history (code/trial_record.h). */
void cof_trial_known_publish(const struct cof_member *member,
			     const struct cof_measure *now);

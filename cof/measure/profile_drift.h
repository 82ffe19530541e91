/*
 * profile_drift.h - do a version's samples fall elsewhere in its code than they did?
 *
 *	home   in the phases of the program its profile stands for
 *	here   in the phase the program is in now
 *
 * Both are counted by stretches of its code (spot.h). What two draws from the same
 * distribution have in common, 1 but for noise, is the measure: it is divided by
 * what is to be expected of so many samples, as in predictor/signature_similarity.h.
 *
 * Pure. Owner: P/O.
 */
#ifndef COF_MEASURE_PROFILE_DRIFT_H
#define COF_MEASURE_PROFILE_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "code/code_buckets.h"

struct cof_profile_drift {
	uint32_t version;		/* its number; another one begins anew */
	uint16_t seen[COF_CODE_BUCKETS];	/* counters as of the last look */
	uint32_t home[COF_CODE_BUCKETS], here[COF_CODE_BUCKETS];
};

/* Of that version, from now on. */
void cof_profile_drift_begin(struct cof_profile_drift *d, uint32_t version,
		     const uint16_t count[COF_CODE_BUCKETS]);

/* The counters go on, and run over: not after more than 65535 samples. */
void cof_profile_drift_look(struct cof_profile_drift *d, const uint16_t count[COF_CODE_BUCKETS]);

/* The phase is over. `home`: its profile stands for it too. */
void cof_profile_drift_leave(struct cof_profile_drift *d, bool home);

/* Has it a home? */
bool cof_profile_drift_settled(const struct cof_profile_drift *d);

/* Enough is known of both, and they differ, or are the same. */
bool cof_profile_drift_moved(const struct cof_profile_drift *d);
bool cof_profile_drift_stayed(const struct cof_profile_drift *d);

#endif /* COF_MEASURE_PROFILE_DRIFT_H */

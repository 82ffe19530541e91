/*
 * profile_drift.h - how far a version's samples moved in its code
 *
 *	home   samples in the phases that its profile stands for
 *	here   samples in the present phase of the program
 *
 * Both are counted by code bucket (code/code_buckets.h). The measure is their
 * overlap, divided by the expected overlap of so many samples drawn from one
 * distribution (sampling_noise.h).
 *
 * Pure. Owner: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "code/code_buckets.h"

struct cof_profile_drift {
	uint32_t version;			/* its number */
	uint16_t seen[COF_CODE_BUCKETS];	/* counters at the last look */
	uint32_t home[COF_CODE_BUCKETS], here[COF_CODE_BUCKETS];
};

/* Start with the version of this number; `count`: its bucket counters now. */
void cof_profile_drift_begin(struct cof_profile_drift *d, uint32_t version,
			     const uint16_t count[COF_CODE_BUCKETS]);

/* Add the samples since the last look to `here`. The counters wrap: look again
 * before 65536 more samples. */
void cof_profile_drift_look(struct cof_profile_drift *d,
			    const uint16_t count[COF_CODE_BUCKETS]);

/* The phase is over. `home`: the profile stands for it too. */
void cof_profile_drift_leave(struct cof_profile_drift *d, bool home);

/* Are there enough samples of home? */
bool cof_profile_drift_settled(const struct cof_profile_drift *d);

/* There are enough samples of both, and they differ, or are alike. */
bool cof_profile_drift_moved(const struct cof_profile_drift *d);
bool cof_profile_drift_stayed(const struct cof_profile_drift *d);

/*
 * profile_drift.c - compare two distributions; see profile_drift.h
 */
#include "measure/profile_drift.h"

#include <math.h>
#include <string.h>

#include "measure/sampling_noise.h"
#include "options/tuning.h"

static uint64_t sum(const uint32_t n[COF_CODE_BUCKETS])
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++)
		all += n[i];
	return all;
}

/* The overlap of home and here. Below 0: too few samples. */
static double in_common(const struct cof_profile_drift *d)
{
	double here = (double)sum(d->here), home = (double)sum(d->home);
	double v = 1 / here + 1 / home, common = 0, lost = 0;

	if (here < COF_TUNE(drift_samples) || home < COF_TUNE(drift_samples))
		return -1;
	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++) {
		double p = d->home[i] / home;

		common += fmin(d->here[i] / here, p);
		lost += cof_sampling_noise_loss(p, v);
	}
	return cof_sampling_noise_correct(common, lost);
}

void cof_profile_drift_begin(struct cof_profile_drift *d, uint32_t version,
			     const uint16_t count[COF_CODE_BUCKETS])
{
	*d = (struct cof_profile_drift){ .version = version };
	memcpy(d->seen, count, sizeof(d->seen));
}

void cof_profile_drift_look(struct cof_profile_drift *d,
			    const uint16_t count[COF_CODE_BUCKETS])
{
	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++) {
		d->here[i] += (uint16_t)(count[i] - d->seen[i]);
		d->seen[i] = count[i];
	}
}

void cof_profile_drift_leave(struct cof_profile_drift *d, bool home)
{
	for (uint32_t i = 0; home && i < COF_CODE_BUCKETS; i++)
		d->home[i] += d->here[i];
	memset(d->here, 0, sizeof(d->here));
}

bool cof_profile_drift_settled(const struct cof_profile_drift *d)
{
	return sum(d->home) >= COF_TUNE(drift_samples);
}

bool cof_profile_drift_moved(const struct cof_profile_drift *d)
{
	double common = in_common(d);

	return common >= 0 && common < COF_TUNE(drift_same);
}

bool cof_profile_drift_stayed(const struct cof_profile_drift *d)
{
	return in_common(d) >= COF_TUNE(drift_same);
}

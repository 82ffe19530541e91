/*
 * credit.h - one sample, one more call in the version's COF word
 *
 * The first sample of a version since PRE last weighed it also goes to PRE, as
 * "touched". If PRE is behind and has no room the sample is taken back, so that
 * the next one is the first again: a version with calls is always known to PRE.
 *
 * Where in its code a member of the hit list was sampled is counted too
 * (predictor/spot.h).
 */
#ifndef COF_SAMPLER_CREDIT_H
#define COF_SAMPLER_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

struct cof;

/* Samples in no version, until the threads lock is released and the host can be
 * asked whose they are. SAM's. */
#define COF_UNKNOWN_MAX 256u

struct cof_unknown {
	uintptr_t pc[COF_UNKNOWN_MAX];
	uint32_t  n;
};

/*
 * Counts one taken, and one counted or one drop; if the host has locate() and no
 * version holds it, both are left to cof_credit_unknown(). Thread: SAM, as a
 * reader of the index.
 */
void cof_credit(struct cof *cof, uintptr_t pc);

/* Of those kept since last time. `ask` the host; else they are native. Thread:
 * as cof_credit(), but under no lock. */
void cof_credit_unknown(struct cof *cof, bool ask);

#endif /* COF_SAMPLER_CREDIT_H */

/*
 * credit.h - one sample, one more call in the version's COF word
 *
 * The first sample of a version since PRE last weighed it also goes to PRE, as
 * "touched". If PRE is behind and has no room the sample is taken back, so that
 * the next one is the first again: a version with calls is always known to PRE.
 *
 * Where in its code a member of the hit list was sampled is counted too
 * (code/code_buckets.h).
 */
#ifndef COF_SAMPLER_CREDIT_H
#define COF_SAMPLER_CREDIT_H

#include <stdint.h>

struct cof;
struct cof_stage;

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

/* Those kept since last time: the host is asked while `asking` is not told to stop;
 * after that, or if it is NULL, they are native. Thread: as cof_credit(), but under
 * no lock. */
void cof_credit_unknown(struct cof *cof, const struct cof_stage *asking);

#endif /* COF_SAMPLER_CREDIT_H */

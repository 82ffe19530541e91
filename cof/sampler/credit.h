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

#include <stdint.h>

struct cof;

/*
 * Counts one taken, and one counted or one drop. Thread: SAM, as a reader of
 * the index.
 */
void cof_credit(struct cof *cof, uintptr_t pc);

#endif /* COF_SAMPLER_CREDIT_H */

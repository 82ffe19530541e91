/*
 * credit.h - add a sample to the calls in the version's COF word
 *
 * The first sample of a version since PRE last weighed it also goes to PRE, as
 * "touched". If the ring to PRE is full, SAM takes the sample back, and the
 * next one is the first again. So PRE knows every version with calls.
 *
 * For a member of the hit list SAM also counts the code bucket that the sample
 * fell in (code/code_buckets.h).
 */
#pragma once

#include <stdint.h>

struct cof;
struct cof_stage;

/* Samples in no version. They wait until the threads lock is released and the
 * host can be asked for their versions. Owner: SAM. */
#define COF_UNKNOWN_MAX 256u

struct cof_unknown {
	uintptr_t pc[COF_UNKNOWN_MAX];
	uint32_t  n;
};

/*
 * Credit one sample at `pc`. Counts one taken, and one counted or one drop. If
 * no version holds pc and the host has locate(), both are left to
 * cof_credit_unknown(). Thread: SAM, as a reader of the index.
 */
void cof_credit(struct cof *cof, uintptr_t pc);

/*
 * Credit the samples that cof_credit() left. The host is asked until `stage` is
 * told to stop; the rest, or all if it is NULL, count as native. Thread: as
 * cof_credit(), but under no lock.
 */
void cof_credit_unknown(struct cof *cof, const struct cof_stage *stage);

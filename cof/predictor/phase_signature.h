/*
 * phase_signature.h - how samples fall on methods, and on their code buckets
 *
 * A signature is by method, so a new version does not change it: each sample
 * counts for as much more as its version is faster. Code buckets are by
 * version. In a version that was never sampled they say nothing.
 *
 * Pure: no clock, no thread, no memory but the struct. Owner: PRE.
 */
#pragma once

#include <stdint.h>

#include "code/code_buckets.h"

#define COF_PHASE_SIGNATURE_PARTS  32u	/* methods, */
#define COF_PHASE_SIGNATURE_BODIES 3u	/* and versions of each */

struct cof_method;

/* A version's samples of one generation. */
struct cof_phase_signature_sample {
	const struct cof_method *method;
	uint32_t                 number;	/* of the version */
	uint32_t                 calls;
	float                    pace;	/* of the method's first version */
	uint16_t                 bucket[COF_CODE_BUCKETS]; /* sum <= calls */
	struct cof_method *const *inlined;	/* in the version; array */
	uint32_t                 n_inlined;
};

/* Sums of samples, in which older samples count for less. */
struct cof_phase_signature_sum {
	float mass;		/* the sum */
	float mass2;		/* of squared factors: mass^2/mass2 samples say
				 * as much */
};

/* A version of a method. */
struct cof_phase_signature_body {
	uint32_t number;	/* of the version */
	uint32_t seen;		/* the signature's tick when last added to */
	float    calls;		/* those of the part's in this version */
	struct cof_phase_signature_sum sum;
	float    bucket[COF_CODE_BUCKETS];
};

/* A method. */
struct cof_phase_signature_part {
	const struct cof_method *method;
	float    calls;
	uint32_t n;
	struct cof_phase_signature_body body[COF_PHASE_SIGNATURE_BODIES];
};

struct cof_phase_signature {
	struct cof_phase_signature_sum  sum;	/* of all samples, in parts or
						 * not */
	uint32_t                        samples;	/* of a window */
	uint32_t                        n, tick;
	struct cof_phase_signature_part part[COF_PHASE_SIGNATURE_PARTS];
};

/*
 * Add a generation's samples: s[0..n) are those in versions of heavy methods,
 * `all` is the number of all samples.
 */
void cof_phase_signature_count(struct cof_phase_signature *window,
			       const struct cof_phase_signature_sample *s,
			       uint32_t n, uint32_t all);

/*
 * Add `from`; what *to held so far counts `keep` times as much. The buckets of
 * a version are kept while its method is not sampled.
 */
void cof_phase_signature_add(struct cof_phase_signature *to,
			     const struct cof_phase_signature *from,
			     float keep);

/* NULL: the method, or the version, is not in it. */
const struct cof_phase_signature_part *
cof_phase_signature_part(const struct cof_phase_signature *signature,
			 const struct cof_method *method);
const struct cof_phase_signature_body *
cof_phase_signature_body(const struct cof_phase_signature_part *part,
			 uint32_t number);

/* 1/n, where n equally weighted samples say as much as the sum. */
double cof_phase_signature_variance(const struct cof_phase_signature_sum *sum);

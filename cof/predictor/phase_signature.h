/*
 * phase_signature.h - how samples fall on methods, and on stretches of their code
 *
 * It is of methods, so a new version changes nothing: its samples count for as
 * much more as it is faster. But stretches are known for each version by itself,
 * and where one was never seen they say nothing.
 *
 * Pure: no clock, no thread, no memory but the struct. Owner: PRE.
 */
#ifndef COF_PREDICTOR_PHASE_SIGNATURE_H
#define COF_PREDICTOR_PHASE_SIGNATURE_H

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
	uint16_t                 spot[COF_CODE_BUCKETS]; /* may add up to less */
	struct cof_method *const *inlined;	/* in the version; array */
	uint32_t                 n_inlined;
};

/* Sums of samples, older ones counted for less. */
struct cof_phase_signature_sum {
	float mass;		/* the sum */
	float mass2;		/* of squared factors: mass^2/mass2 samples say
				 * as much */
};

struct cof_phase_signature_body {
	uint32_t           number;	/* of the version */
	uint32_t           seen;	/* learned last, sum's tick */
	float              calls;	/* of the part's, in this version */
	struct cof_phase_signature_sum sum;
	float              spot[COF_CODE_BUCKETS];
};

struct cof_phase_signature_part {
	const struct cof_method *method;
	float                    calls;
	uint32_t                 n;
	struct cof_phase_signature_body      body[COF_PHASE_SIGNATURE_BODIES];
};

struct cof_phase_signature {
	struct cof_phase_signature_sum  sum;	/* of all samples, parts or not */
	uint32_t            samples;	/* of a window */
	uint32_t            n, tick;
	struct cof_phase_signature_part part[COF_PHASE_SIGNATURE_PARTS];
};

/* Samples of a generation: n versions' of heavy methods, `all` in all. */
void cof_phase_signature_count(struct cof_phase_signature *mix, const struct cof_phase_signature_sample *s,
		   uint32_t n, uint32_t all);

/* What there was so far counts `keep` as much. What a body is like stays known
 * while its method is not seen. */
void cof_phase_signature_add(struct cof_phase_signature *to, const struct cof_phase_signature *from, float keep);

/* NULL: it is not there. */
const struct cof_phase_signature_part *cof_phase_signature_part(const struct cof_phase_signature *mix,
					const struct cof_method *method);
const struct cof_phase_signature_body *cof_phase_signature_body(const struct cof_phase_signature_part *part,
					uint32_t number);

/* 1/n of the samples that say as much. */
double cof_phase_signature_variance(const struct cof_phase_signature_sum *sum);

#endif /* COF_PREDICTOR_PHASE_SIGNATURE_H */

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

#define COF_MIX_PARTS  32u	/* methods, */
#define COF_MIX_BODIES 3u	/* and versions of each */

struct cof_method;

/* A version's samples of one generation. */
struct cof_mix_sample {
	const struct cof_method *method;
	uint32_t                 number;	/* of the version */
	uint32_t                 calls;
	float                    pace;	/* of the method's first version */
	uint16_t                 spot[COF_SPOTS]; /* may add up to less */
	struct cof_method *const *inlined;	/* in the version; array */
	uint32_t                 n_inlined;
};

/* Sums of samples, older ones counted for less. */
struct cof_mix_sum {
	float mass;		/* the sum */
	float mass2;		/* of squared factors: mass^2/mass2 samples say
				 * as much */
};

struct cof_mix_body {
	uint32_t           number;	/* of the version */
	uint32_t           seen;	/* learned last, sum's tick */
	float              calls;	/* of the part's, in this version */
	struct cof_mix_sum sum;
	float              spot[COF_SPOTS];
};

struct cof_mix_part {
	const struct cof_method *method;
	float                    calls;
	uint32_t                 n;
	struct cof_mix_body      body[COF_MIX_BODIES];
};

struct cof_mix {
	struct cof_mix_sum  sum;	/* of all samples, parts or not */
	uint32_t            samples;	/* of a window */
	uint32_t            n, tick;
	struct cof_mix_part part[COF_MIX_PARTS];
};

/* Samples of a generation: n versions' of heavy methods, `all` in all. */
void cof_mix_count(struct cof_mix *mix, const struct cof_mix_sample *s,
		   uint32_t n, uint32_t all);

/* What there was so far counts `keep` as much. What a body is like stays known
 * while its method is not seen. */
void cof_mix_add(struct cof_mix *to, const struct cof_mix *from, float keep);

/* NULL: it is not there. */
const struct cof_mix_part *cof_mix_part(const struct cof_mix *mix,
					const struct cof_method *method);
const struct cof_mix_body *cof_mix_body(const struct cof_mix_part *part,
					uint32_t number);

/* 1/n of the samples that say as much. */
double cof_mix_variance(const struct cof_mix_sum *sum);

#endif /* COF_PREDICTOR_PHASE_SIGNATURE_H */

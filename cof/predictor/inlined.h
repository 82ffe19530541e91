/*
 * inlined.h - which methods are inlined in a version, and sampled as part of it
 *
 * Pure. Owner: PRE.
 */
#pragma once

#include <stdint.h>

#include "predictor/phase_signature.h"

#define COF_INLINED_VERSIONS 32u	/* with inlined callees, */
#define COF_INLINED_CALLEES  16u	/* and callees noted for each */

struct cof_inlined_version {
	const struct cof_method *into;		/* NULL: the entry is free */
	uint32_t                 number;	/* of the version */
	uint32_t                 n;
	const struct cof_method *of[COF_INLINED_CALLEES];
};

struct cof_inlined {
	struct cof_inlined_version version[COF_INLINED_VERSIONS];
	uint32_t                   n;		/* noted so far */
};

/* Note the version of `s`, once. It replaces the oldest if the ring is full. */
void cof_inlined_note(struct cof_inlined *in,
		      const struct cof_phase_signature_sample *s);

/* NULL: the version is not noted. */
const struct cof_inlined_version *
cof_inlined_in(const struct cof_inlined *in, const struct cof_method *method,
	       uint32_t number);

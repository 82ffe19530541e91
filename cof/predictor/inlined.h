/*
 * inlined.h - methods whose bodies are in a version: what they run there is its
 *
 * Pure. Owner: PRE.
 */
#ifndef COF_PREDICTOR_INLINED_H
#define COF_PREDICTOR_INLINED_H

#include <stdint.h>

#include "predictor/phase_signature.h"

#define COF_INLINED_VERSIONS 32u	/* with others inlined in them, */
#define COF_INLINED_CALLEES  16u	/* and these, of each, that are known */

struct cof_inlined_version {
	const struct cof_method *into;		/* NULL: this place is free */
	uint32_t                 number;	/* of the version */
	uint32_t                 n;
	const struct cof_method *of[COF_INLINED_CALLEES];
};

struct cof_inlined {
	struct cof_inlined_version version[COF_INLINED_VERSIONS];
	uint32_t                   n;		/* noted so far */
};

/* Each version once. The one noted first makes room. */
void cof_inlined_note(struct cof_inlined *in, const struct cof_phase_signature_sample *s);

/* NULL: of this version nothing is known. */
const struct cof_inlined_version *
cof_inlined_in(const struct cof_inlined *in, const struct cof_method *method,
	       uint32_t number);

#endif /* COF_PREDICTOR_INLINED_H */

/*
 * inlined.c - a ring of the versions noted last; see inlined.h
 */
#include "predictor/inlined.h"

#include <stddef.h>

const struct cof_inlined_version *
cof_inlined_in(const struct cof_inlined *in, const struct cof_method *method,
	       uint32_t number)
{
	for (uint32_t i = 0; i < COF_INLINED_VERSIONS; i++)
		if (in->version[i].into == method &&
		    in->version[i].number == number)
			return &in->version[i];
	return NULL;
}

void cof_inlined_note(struct cof_inlined *in,
		      const struct cof_phase_signature_sample *s)
{
	struct cof_inlined_version *v;

	if (cof_inlined_in(in, s->method, s->number))
		return;
	v = &in->version[in->n++ % COF_INLINED_VERSIONS];
	*v = (struct cof_inlined_version){
		.into = s->method, .number = s->number,
	};
	for (; v->n < s->n_inlined && v->n < COF_INLINED_CALLEES; v->n++)
		v->of[v->n] = s->inlined[v->n];
}

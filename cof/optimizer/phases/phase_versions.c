/*
 * phase_versions.c - find and clear slots
 */
#include "optimizer/phases/phase_versions.h"

#include <stddef.h>

#include "code/version.h"

struct cof_phase_versions_slot *
cof_phase_versions_slot(struct cof_phase_versions *m, uint32_t phase)
{
	struct cof_phase_versions_slot *s = &m->slot[0];

	for (uint32_t i = 0; i < m->n; i++) {
		if (m->slot[i].phase == phase)
			return &m->slot[i];
		if (m->slot[i].used < s->used)
			s = &m->slot[i];
	}
	if (m->n < COF_PHASE_KNOWN) {
		s = &m->slot[m->n++];
		/* cof_phase_versions_forget() does not clear the slot. */
		*s = (struct cof_phase_versions_slot){ 0 };
	}
	return s;
}

bool cof_phase_versions_has(const struct cof_phase_versions *m,
			    const struct cof_version *v)
{
	for (uint32_t i = 0; m && i < m->n; i++)
		if (m->slot[i].version == v)
			return true;
	return false;
}

void cof_phase_versions_forget(struct cof_phase_versions *m,
			       const struct cof_version *v)
{
	for (uint32_t i = m ? m->n : 0; i-- > 0;)
		if (m->slot[i].version == v)
			m->slot[i] = m->slot[--m->n];
}

uint64_t cof_phase_versions_size(const struct cof_version *v)
{
	return v->code.block.exec ? v->code.block.size_bytes :
				    v->code.end - v->code.start;
}

/* A version counts as used when the latest of its phases was. */
static uint64_t used_of(const struct cof_phase_versions *m,
			const struct cof_version *v)
{
	uint64_t used = 0;

	for (uint32_t i = 0; i < m->n; i++)
		if (m->slot[i].version == v && m->slot[i].used > used)
			used = m->slot[i].used;
	return used;
}

uint32_t cof_phase_versions_parked(const struct cof_phase_versions *m,
				 uint64_t *bytes,
				 struct cof_version **oldest)
{
	uint32_t n = 0;

	*bytes = 0;
	*oldest = NULL;
	for (uint32_t i = 0; i < m->n; i++) {
		struct cof_version *v = m->slot[i].version;
		bool seen = !v->phase.parked;

		for (uint32_t k = 0; k < i; k++)
			seen |= m->slot[k].version == v;
		if (seen)
			continue;
		n++;
		*bytes += cof_phase_versions_size(v);
		if (!*oldest || used_of(m, v) < used_of(m, *oldest))
			*oldest = v;
	}
	return n;
}

/*
 * phase_versions.h - which versions a method had in which phases
 *
 * Pure: phase_reuse.h parks and retires versions. A version that is parked for
 * a phase is in at least one slot, and may be in several.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "predictor/phase.h"

struct cof_method;
struct cof_version;

/* The version of the method in one phase. */
struct cof_phase_versions_slot {
	struct cof_version *version;
	uint32_t            phase;
	uint64_t            used;	/* phases begun when last used */
};

struct cof_phase_versions {
	struct cof_method *method;
	struct cof_phase_versions *next;	/* of the instance */
	uint32_t n;
	struct cof_phase_versions_slot slot[COF_PHASE_KNOWN];
};

/* The slot of a phase. A new phase takes a free slot or the least recently used
 * one. */
struct cof_phase_versions_slot *
cof_phase_versions_slot(struct cof_phase_versions *m, uint32_t phase);

/* Is the version in a slot? False if `m` is NULL. */
bool cof_phase_versions_has(const struct cof_phase_versions *m,
			    const struct cof_version *v);

/* Remove the version from all slots. `m` may be NULL. */
void cof_phase_versions_forget(struct cof_phase_versions *m,
			       const struct cof_version *v);

/* Number of parked versions. *bytes: size of their code; *oldest: the least
 * recently used one, or NULL. */
uint32_t cof_phase_versions_parked(const struct cof_phase_versions *m,
				 uint64_t *bytes,
				 struct cof_version **oldest);

/* Size of the version's code in bytes. */
uint64_t cof_phase_versions_size(const struct cof_version *v);

/*
 * phase_versions.h - which versions a method had in which phases
 *
 * Pure: no version is parked or retired here (phase_reuse.h). A version that is
 * parked for a phase is in one slot at least, and may be in several.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_PHASES_PHASE_VERSIONS_H
#define COF_OPTIMIZER_PHASES_PHASE_VERSIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/phase.h"

struct cof_method;
struct cof_version;

/* What it had in a phase. */
struct cof_phase_versions_slot {
	struct cof_version *version;
	uint32_t            phase;
	uint64_t            used;	/* phases begun by then */
};

struct cof_phase_versions {
	struct cof_method     *method;
	struct cof_phase_versions     *next;	/* of all the instance's */
	uint32_t               n;
	struct cof_phase_versions_slot slot[COF_PHASE_KNOWN];
};

/* The slot of a phase; for a new one the one not used for longest makes room. */
struct cof_phase_versions_slot *cof_phase_versions_slot(struct cof_phase_versions *m, uint32_t phase);

/* Is it in a slot? `m` NULL: no. */
bool cof_phase_versions_has(const struct cof_phase_versions *m, const struct cof_version *v);

/* It is in none from now on. `m` NULL is fine. */
void cof_phase_versions_forget(struct cof_phase_versions *m, const struct cof_version *v);

/* How many are kept; *bytes: their code; *oldest: the first to go. */
uint32_t cof_phase_versions_kept(const struct cof_phase_versions *m, uint64_t *bytes,
			 struct cof_version **oldest);

/* Bytes of code. */
uint64_t cof_phase_versions_size(const struct cof_version *v);

#endif /* COF_OPTIMIZER_PHASES_PHASE_VERSIONS_H */

/*
 * trial_record.h - what trials say of a version and of a method
 *
 * Thread: P/O stores. PRE, the history and cof-stats read the atomic fields,
 * relaxed: they order nothing else. The rules are in optimizer/trial/audit.h.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"

struct cof_trial;
struct cof_version;

/* What became of a version, and its name in cof-stats. */
#define COF_AUDIT_STATES(X)						\
	X(NONE,   "-")		/* never compared with another */	\
	X(TRIAL,  "trial")						\
	X(KEPT,   "kept")						\
	X(BACK,   "back")	/* rolled back, or current again	\
				 * because the newer one was */		\
	X(OPEN,   "unclear")	/* kept or rolled back, without		\
				 * certainty */				\
	X(PROVEN, "proven")	/* kept, because an earlier run		\
				 * measured that it is faster */

enum cof_audit_state {
#define COF_AUDIT_ENUM(name, text) COF_AUDIT_##name,
	COF_AUDIT_STATES(COF_AUDIT_ENUM)
#undef COF_AUDIT_ENUM
};

/* NULL: there is no such state. */
static inline const char *cof_audit_state_name(uint32_t state)
{
	static const char *const name[] = {
#define COF_AUDIT_NAME(name, text) text,
		COF_AUDIT_STATES(COF_AUDIT_NAME)
#undef COF_AUDIT_NAME
	};

	return state < sizeof(name) / sizeof(name[0]) ? name[state] : NULL;
}

struct cof_version_trial {
	_Atomic uint32_t state;		/* enum cof_audit_state */
	_Atomic int32_t  gain_permille;	/* as measured */
};

struct cof_method_trial {
	struct cof_trial   *now;	/* that it is part of; NULL: none */
	struct cof_version *base;	/* PARKED while an instrumented version
					 * counts: the next trial compares with
					 * this one */
	uint64_t            banned_until[COF_PLAN_COUNT]; /* generation */

	/* Of the latest trial, also after its end. B is its newer version. */
	_Atomic int32_t     gain_permille;	/* of B, as far as known;
						 * COF_EXPECTED_GAIN_NONE:
						 * there was no trial */
	_Atomic uint32_t    weight_permille;	/* how far that is known */
	_Atomic uint32_t    promised_permille;	/* speed-up of B */
	_Atomic uint32_t    plan;		/* B's */

	uint8_t             rollbacks[COF_PLAN_COUNT];
};

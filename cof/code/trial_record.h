/*
 * trial_record.h - what trials say of a version and of a method
 *
 * Thread: P/O stores. PRE, the history and cof-stats read the atomic fields,
 * relaxed: they order nothing else. The rules are in optimizer/trial/audit.h.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
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

/* Speeds are in thousandths of the speed of the method's first version, as one
 * trial after the other measured them. */
struct cof_version_trial {
	_Atomic uint32_t state;		/* enum cof_audit_state */
	_Atomic int32_t  gain_permille;	/* as measured, in the latest trial */
	_Atomic uint32_t before_permille; /* speed of the version before; 0: no
					   * trial measured it */
	_Atomic uint32_t speed_permille; /* this one's; 0: no trial of it has
					  * ended */
};

struct cof_method_trial {
	struct cof_trial   *now;	/* that it is part of; NULL: none */
	struct cof_version *waits_for;	/* frames that stay in this A, to be
					 * led out; NULL: for none */
	bool                led_out;	/* they were */
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
	_Atomic uint32_t    before_permille;	/* speed of A */

	/* Of the latest trial of loops (optimizer/osr/loop_trial.h). */
	_Atomic uint32_t    loops_state;	/* enum cof_audit_state; NONE:
						 * there was none */
	_Atomic uint32_t    loops_permille;	/* speed */
	_Atomic uint64_t    loops_from;		/* samples of the method until
						 * that was stored */

	uint8_t             rollbacks[COF_PLAN_COUNT];
};

static inline double cof_trial_speed_ratio(const _Atomic uint32_t *permille)
{
	uint32_t speed = atomic_load_explicit((_Atomic uint32_t *)permille,
					      memory_order_relaxed);

	return speed ? speed / 1000.0 : 1;
}

/* The measured speed of the version before, as a ratio to that of the first;
 * 1: there is none. */
static inline double cof_trial_speed_before(const struct cof_version_trial *t)
{
	return cof_trial_speed_ratio(&t->before_permille);
}

/* A version's measured speed, as a ratio to that of the first. Before its trial
 * has ended it is that of the version before. */
static inline double cof_trial_speed(const struct cof_version_trial *trial)
{
	struct cof_version_trial *t = (struct cof_version_trial *)trial;

	return atomic_load_explicit(&t->speed_permille, memory_order_relaxed) ?
	       cof_trial_speed_ratio(&t->speed_permille) :
	       cof_trial_speed_before(t);
}

/* The same in thousandths, without what a trial saw that stays unclear; 0: no
 * trial has shown anything. */
static inline uint32_t cof_trial_speed_sure(struct cof_version_trial *t)
{
	uint32_t speed = atomic_load_explicit(&t->speed_permille,
					      memory_order_relaxed);

	if (atomic_load_explicit(&t->state, memory_order_relaxed) ==
		    COF_AUDIT_OPEN &&
	    atomic_load_explicit(&t->gain_permille, memory_order_relaxed) > 0)
		speed = 0;
	return speed ? speed : atomic_load_explicit(&t->before_permille,
						    memory_order_relaxed);
}

static inline void cof_trial_speed_store(_Atomic uint32_t *permille,
					 double ratio)
{
	double speed = ratio * 1000 + .5;

	speed = speed < 1 ? 1 : speed > 1e6 ? 1e6 : speed;
	atomic_store_explicit(permille, (uint32_t)speed, memory_order_relaxed);
}

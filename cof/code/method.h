/*
 * method.h - methods: what the host calls a function
 *
 *	field            written by                    read by
 *	constant         cof_method_add()              any thread
 *	current, entry   any, under the code lock      any thread (acquire)
 *	code, thunk      any, under the code lock      any, under the code lock
 *	backoff, build,  P/O                           P/O; atomic ones also by
 *	trial, profile,                                PRE, the history and
 *	phase_versions                                 cof-stats
 *	just_compiled    see optimizer/instrumented/just_compiled.h
 *	samples          SAM                           any thread
 *	code.is_unloaded the host's threads            the host's threads
 *
 * A method is never freed before its instance is.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "code/backoff_record.h"
#include "code/build_record.h"
#include "code/references.h"
#include "code/thunk_record.h"
#include "code/trial_record.h"

struct cof;
struct cof_phase_versions;
struct cof_profile;
struct cof_version;

/* The patcher's. Thread: any, under the code lock. */
struct cof_method_code {
	struct cof_site    *sites;	/* that lead here, without far ones */
	struct cof_slot    *slots;
	struct cof_version *copy;	/* of the first version of this life:
					 * native_code/version_copy.h */
	struct cof_method  *next;	/* of the instance */
	uintptr_t           second;	/* a stub that follows the versions,
					 * left alone or not; 0: none is needed.
					 * Set once */
	_Atomic bool        left_alone;	/* the first stub leads to native code
					 * (patcher/left_alone.h). Set once; any
					 * thread may read it */
	uint32_t            next_number;
	uint32_t            host_number; /* the latest version by which the host
					 * replaced another, or 0; versions
					 * before it never come back */
	bool                raw_reach;	/* an entry was ever in a slot or given
					 * out, so registers may hold it */
	_Atomic bool        is_unloaded;	/* its version is a trap */
	bool                direct;	/* P/O's: callers of native code come to
					 * it (patcher/direct_entry.h) */
};

/* The list of methods that the host has just compiled; optimizer/instrumented/
 * just_compiled.h. */
struct cof_method_just_compiled {
	struct cof_method *next;
	_Atomic bool       is_in;
};

struct cof_method {
	/* Constant. */
	struct cof         *cof;
	void               *data;	/* the host's */
	uintptr_t           stub;
	char               *name;

	/*
	 * Letters are in patcher/publish.c. `entry` is the entry of `current`,
	 * 0: none. It is for threads that may not follow the pointer: without
	 * the lock a record may be freed at any time.
	 */
	_Atomic(struct cof_version *) current;
	_Atomic uintptr_t   entry;

	struct cof_method_code    code;
	struct cof_method_thunk   thunk;
	struct cof_method_backoff backoff;
	struct cof_method_build   build;
	struct cof_method_trial   trial;
	struct cof_profile *profile;	/* NULL: never instrumented */
	struct cof_phase_versions *phase_versions; /* NULL: it has none */
	struct cof_method_just_compiled just_compiled;
	_Atomic uint64_t    samples;	/* ever, in any version */
};

static inline bool cof_method_left_alone(const struct cof_method *method)
{
	return atomic_load_explicit(
		&((struct cof_method *)(uintptr_t)method)->code.left_alone,
		memory_order_relaxed);
}

/* P/O: store what the trial shows so far, and how far that is known, 0 to 1. */
static inline void cof_method_tried(struct cof_method *method,
				    int32_t gain_permille, double weight)
{
	atomic_store_explicit(&method->trial.weight_permille,
			      (uint32_t)(weight * 1000), memory_order_relaxed);
	atomic_store_explicit(&method->trial.gain_permille, gain_permille,
			      memory_order_relaxed);
}

/* P/O: store what a trial of its loops shows. The method's time is spent there,
 * so for what it gains this stands above what its calls tell. `speed`: of what
 * is kept, or of what has the profile so far, over what has none. */
static inline void cof_method_loops_tried(struct cof_method *method,
					  enum cof_audit_state state,
					  double speed)
{
	struct cof_method_trial *t = &method->trial;

	cof_trial_speed_store(&t->loops_permille, speed);
	atomic_store_explicit(&t->loops_from,
			      atomic_load_explicit(&method->samples,
						   memory_order_relaxed),
			      memory_order_relaxed);
	atomic_store_explicit(&t->loops_state, (uint32_t)state,
			      memory_order_relaxed);
}

/* P/O: is a version of it on trial? Then P/O builds nothing for it. */
static inline bool cof_method_on_trial(const struct cof_method *method)
{
	return method->trial.now != NULL;
}

/* P/O: store the state, for cof-stats and PRE. */
static inline void cof_method_show(struct cof_method *method,
				   enum cof_method_state state)
{
	atomic_store_explicit(&method->build.state, state,
			      memory_order_relaxed);
}

/*
 * version.h - the JIT-info record of a version
 *
 *	                          PARKED
 *	                 on trial |  ^ \----------------------+
 *	                          v  |                         v
 *	         cof_version_add          a newer one comes
 *	(host) -----------------> CURRENT -----------------> RETIRED
 *	                                                        |
 *	                       no stack or register leads there |
 *	                                                        v
 *	(gone) <--------------------- FREE <-------------- QUARANTINE
 *	        rings drained: record        one more period,
 *	        freed too                    filled with trap bytes
 *
 * The code lock (instance.h) guards what is marked [code]. A record outlives
 * its code: SAM, PRE and P/O hold plain pointers to records. A record is freed
 * only after they have turned, one after the other, since it was taken out of
 * the index (sam_turns in instance.h).
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "code/build_record.h"
#include "code/code_buckets.h"
#include "code/method.h"
#include "code/osr_record.h"
#include "code/phase_record.h"
#include "code/references.h"
#include "code/retired_record.h"
#include "code/trial_record.h"
#include "code/word.h"
#include "cof.h"
#include "options/tuning.h"

enum cof_version_state {
	COF_VERSION_CURRENT,
	COF_VERSION_PARKED,		/* may become current again */
	COF_VERSION_RETIRED,
	COF_VERSION_QUARANTINE,
	COF_VERSION_FREE,
};

/* SAM's, except for `taken` of the buckets. */
struct cof_version_sampled {
	_Atomic uint64_t total;		/* samples ever */
	struct cof_code_buckets buckets; /* where; only in the hit list */
	_Atomic uint64_t dead;		/* samples since it was DEAD */
};

/* Its code. Constant once the version is in the index, if nothing is said. */
struct cof_version_code {
	uintptr_t           start, end;
	uintptr_t           entry;	/* [code] becomes its copy's, once */
	struct cof_version *copy_of;	/* samples in it count for that version
					 * (native_code/version_copy.h); NULL:
					 * it is no copy */
	struct cof_version *_Atomic again;	/* samples in it count for that
					 * version, the latest of those that
					 * stand for it
					 * (native_code/first_again.h,
					 * patcher/direct_entry.h); NULL: there
					 * is none */
	bool                is_again;	/* it is one of first_again.h's */
	bool                is_trap;	/* libcof's own, of a method that was
					 * unloaded; no host has it */
	bool                same_as_first; /* the bytes are */
	const uint64_t     *entries;	/* the code adds one when it is entered;
					 * NULL: it does not */
	void               *data;	/* the host's */
	struct cof_code     block;
	_Atomic bool        led;	/* where it starts is a jump that leads
					 * callers to its copy, or to another
					 * version */
	bool                unwound;	/* threads/unwind.h has its .eh_frame */
	bool                counting;	/* from instrument() */
	bool                continuation; /* from osr(): never current */
};

struct cof_version {
	_Atomic uint64_t    word;	/* writers of its parts: word.h */
	struct cof_version_sampled sampled;
	struct cof_version_code    code;
	struct cof_method  *method;	/* constant */
	uint32_t            number;	/* constant; 0 is the method's first */
	enum cof_plan       plan;	/* constant */
	struct cof_version_links   links;
	enum cof_version_state state;	/* [code] */
	_Atomic uint32_t    pace;	/* permille of the speed of the method's
					 * first version, as far as known; 0: as
					 * fast. P/O stores, PRE reads */
	struct cof_version_promise promise;
	struct cof_version_trial   trial;
	struct cof_version_phase   phase;
	struct cof_version_osr     osr;
	struct cof_version_retired retired;
};

/*
 * The version that callers of the method come to; NULL before the first one.
 * The acquire pairs with the release in patcher/publish.c: the caller sees the
 * version's fields.
 */
static inline struct cof_version *
cof_method_current(const struct cof_method *method)
{
	return atomic_load_explicit(&((struct cof_method *)method)->current,
				    memory_order_acquire);
}

/* Has `newer` the code of `older`, which is the method's first version or has
 * that code, too? */
static inline bool cof_version_is_same(const struct cof_version *older,
				       const struct cof_version *newer)
{
	return newer->code.same_as_first &&
	       (older->number == 0 || older->code.same_as_first);
}

/* Speed over the method's first version, as a ratio; 1 if it is not known. */
static inline double cof_version_pace(const struct cof_version *v)
{
	uint32_t pace = atomic_load_explicit(&((struct cof_version *)v)->pace,
					     memory_order_relaxed);

	return pace ? pace / 1000.0 : 1;
}

/*
 * P/O: set the pace of `v` by its `speedup` over `older`, as far as that says
 * how many fewer samples fall in `v`. A trial may find a greater speed-up,
 * since what a version does to its callees counts as its own. But samples that
 * counted three times too much would hide the phases of all other methods. Of
 * two versions with a profile each is the faster one in its own phase, so
 * neither counts as faster.
 */
static inline void cof_version_set_pace(struct cof_version *v,
					const struct cof_version *older,
					double speedup)
{
	double pace;

	if (older->plan == COF_PLAN_PROFILE && v->plan == COF_PLAN_PROFILE)
		speedup = 1;
	else if (older->plan >= COF_PLAN_AVERAGE &&
		 speedup > COF_TUNE(phase_pace_most))
		speedup = COF_TUNE(phase_pace_most);
	pace = cof_version_pace(older) * speedup * 1000;
	pace = pace < 1 ? 1 : pace > 1e6 ? 1e6 : pace;
	atomic_store_explicit(&v->pace, (uint32_t)pace, memory_order_relaxed);
}

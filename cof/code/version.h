/*
 * version.h - the JIT-info records of methods' versions
 *
 *	                          PARKED
 *	                 on trial |  ^ \----------------------+
 *	                          v  |                         v
 *	         cof_version_add          a newer one comes
 *	(host) -----------------> CURRENT -----------------> RETIRED
 *	                                                        |
 *	              nobody on a stack or in a register inside |
 *	                                                        v
 *	(gone) <--------------------- FREE <-------------- QUARANTINE
 *	        rings drained: record        one more period,
 *	        freed too                    filled with trap bytes
 *
 * The code lock (instance.h) guards what is marked [code]. A record outlives
 * its code: SAM, PRE and P/O hold plain pointers to records, and a record is
 * freed only after they have turned, one after the other, since it was taken
 * from the index (sam_turns in instance.h).
 */
#ifndef COF_CODE_VERSION_H
#define COF_CODE_VERSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "code/build_record.h"
#include "code/method.h"
#include "code/osr_record.h"
#include "code/phase_record.h"
#include "code/references.h"
#include "code/retired_record.h"
#include "code/trial_record.h"
#include "cof.h"
#include "options/tuning.h"
#include "code/code_buckets.h"
#include "code/word.h"

enum cof_version_state {
	COF_VERSION_CURRENT,
	COF_VERSION_PARKED,		/* may become current again */
	COF_VERSION_RETIRED,
	COF_VERSION_QUARANTINE,
	COF_VERSION_FREE,
};

/* SAM's, but for spots.taken. */
struct cof_version_sampled {
	_Atomic uint64_t total;		/* samples ever */
	struct cof_code_buckets spots;		/* where; while in the hit list */
	_Atomic uint64_t dead;		/* samples since it was DEAD */
};

/* What the version is. Constant once in the index. */
struct cof_version_code {
	uintptr_t           start, end;
	uintptr_t           entry;	/* [code] becomes its copy's, once */
	struct cof_version *copy_of;	/* samples in it are that one's;
					 * patcher/version_copy.h; NULL: no copy */
	const uint64_t     *entries;	/* its code counts how often it is
					 * entered; NULL: it does not */
	void               *data;	/* the host's */
	struct cof_code     block;
	bool                unwound;	/* hosts/llvm/support/unwind_tables.h has its .eh_frame */
	bool                counting;	/* from instrument() */
	bool                continuation; /* from osr(): never current */
};

struct cof_version {
	_Atomic uint64_t    word;	/* word.h says who writes which part */
	struct cof_version_sampled sampled;
	struct cof_version_code    code;
	struct cof_method  *method;	/* constant */
	uint32_t            number;	/* constant; 0 is the method's first */
	enum cof_plan       plan;	/* constant */
	struct cof_version_links   links;
	enum cof_version_state state;	/* [code] */
	_Atomic uint32_t    pace;	/* permille of the speed of the method's
					 * first version, as far as known; 0:
					 * the same. P/O stores, PRE reads */
	struct cof_version_promise promise;
	struct cof_version_trial   trial;
	struct cof_version_phase   phase;
	struct cof_version_osr     osr;
	struct cof_version_retired retired;
};

/* What callers of the method come to; NULL before its first version. The acquire
 * pairs with the release in publish.c: the version's fields are seen. */
static inline struct cof_version *
cof_method_current(const struct cof_method *method)
{
	return atomic_load_explicit(&((struct cof_method *)method)->current,
				    memory_order_acquire);
}

static inline double cof_version_pace(const struct cof_version *v)
{
	uint32_t pace = atomic_load_explicit(&((struct cof_version *)v)->pace,
					     memory_order_relaxed);

	return pace ? pace / 1000.0 : 1;
}

/*
 * P/O: `speedup` over `older`, as far as it says how many samples fewer fall in
 * `v`. A trial may find more: what a version does to those it calls is taken
 * for its own, and samples that counted three times too much would hide the
 * phases of all other methods. Of two versions with a profile each is the
 * faster in its own phase, so neither counts as faster.
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

#endif /* COF_CODE_VERSION_H */

/*
 * version.h - methods, and the JIT-info records of their versions
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
#ifndef COF_VERSION_H
#define COF_VERSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cof.h"
#include "options/tuning.h"
#include "predictor/spot.h"
#include "word.h"

enum cof_version_state {
	COF_VERSION_CURRENT,
	COF_VERSION_PARKED,		/* the audit's; may become current again */
	COF_VERSION_RETIRED,
	COF_VERSION_QUARANTINE,
	COF_VERSION_FREE,
};

/* A `call rel32` or `jmp rel32` we may rewrite; an element of version->sites. */
struct cof_site {
	struct cof_site   *next;	/* [code] of those with the same callee */
	struct cof_site  **link;	/* [code] what points to this one; NULL: in
					 * no list, since it stays on the stub */
	struct cof_method *callee;	/* constant */
	uintptr_t          rel32;	/* constant: run-time address of the 4 bytes */
	struct cof_method *caller;	/* constant: whose version it is in */
};

/* A word of the host's that leads to a method. */
struct cof_slot {
	struct cof_slot    *next;	/* [code] */
	_Atomic(uintptr_t) *word;	/* the host's */
	uintptr_t           ours;	/* [code] what we last put there */
};

/* Who is led to a method's pad (patcher/pad.h). */
enum cof_padded {
	COF_PADDED_NO,
	COF_PADDED_SITES,	/* all, but only direct calls are counted */
	COF_PADDED_ALL,		/* all, and what comes by the stub counts too */
};

struct cof_version {
	_Atomic uint64_t    word;	/* word.h says who writes which part */
	_Atomic uint64_t    samples;	/* ever; written by SAM */
	struct cof_spots    spots;	/* where; while in the hit list */

	/* Constant once in the index. */
	uintptr_t           start, end;
	uintptr_t           entry;	/* but once, to that of its copy; [code] */
	struct cof_method  *method;
	uint32_t            number;	/* 0 is the method's first */
	enum cof_plan       plan;
	void               *data;	/* the host's */
	const uint64_t     *entries;	/* code counts how often it is entered;
					 * NULL: it does not */
	struct cof_code     block;
	bool                unwound;	/* its .eh_frame is with sampler/unwind.h */
	bool                counting;	/* from instrument() */
	bool                continuation; /* from osr(): never current */
	bool                entered;	/* a continuation that was sampled; P/O */
	struct cof_version *same;	/* it is the copy of this one: samples in
					 * it are that one's; patcher/copy.h */
	struct cof_method **inlined;	/* array; whose bodies are in it */
	uint32_t            n_inlined;
	struct cof_site    *sites;	/* array; this version's outgoing calls */
	uint32_t            n_sites;

	/* [code] */
	enum cof_version_state state;
	bool                bound;	/* its sites are kept current */
	bool                stays;	/* never reclaimed: patcher/copy.h */

	/* P/O. */
	uint32_t            group;	/* of build_group(), the same for those
					 * built as one; 0: built alone */
	double              speedup;	/* expected over the former version; 0:
					 * not known */
	uint32_t            proven_permille; /* that was measured in an earlier
					 * run; 0: it was not */
	uint32_t            seen_permille; /* so far, in earlier runs' trials of it, */
	uint32_t            seen_error;	/* and the standard error; 0: in none */
	bool                early;	/* the host had it: optimizer/kept.h */
	bool                unseen;	/* and a trial of it showed nothing */
	_Atomic uint32_t    pace;	/* permille of the speed of the method's
					 * first version, as far as known; 0: the
					 * same; read by PRE */
	uint32_t            phase;	/* its profile is of; 0: not known */
	bool                kept;	/* PARKED, for a phase: optimizer/phases.h */
	_Atomic uint32_t    audited;	/* enum cof_audit_state, */
	_Atomic int32_t     gain_permille; /* and what was measured: read by PRE */

	/* P/O: optimizer/osr.h. */
	struct cof_version *continued;	/* continuations of its loops, */
	struct cof_version *next_continued;	/* linked by this; [code] too */
	bool                watched;	/* it may be stayed in */
	bool                vacated;	/* though current: its time goes by in
					 * the latest continuation */
	bool                held;	/* a worker builds a continuation: its
					 * code may not go meanwhile */
	_Atomic uint64_t    late;	/* samples since it was DEAD; by SAM */

	/* P/O, from RETIRED on. */
	struct cof_version *next_retired;
	uint64_t            retired_ns;	/* then when it entered QUARANTINE */
	bool                left;	/* nobody is inside, and it waits for SAM */
	uint64_t            sam_turn;	/* as of then; as of leaving the index */
	uint64_t            pre_turn;	/* as of when SAM was seen to be done
					 * with it; UINT64_MAX: not yet */
};

/* How a version came off; names are in tools/units.c. */
enum cof_audit_state {
	COF_AUDIT_NONE,		/* never compared with another */
	COF_AUDIT_TRIAL,
	COF_AUDIT_KEPT,
	COF_AUDIT_BACK,		/* rolled back; or current again after that */
	COF_AUDIT_OPEN,		/* kept, or taken back, without certainty */
	COF_AUDIT_PROVEN,	/* kept for what an earlier run measured */
};

/* Why a method is not looked at for now; names are in optimizer/ignore.c. */
enum cof_ignore {
	COF_IGNORE_NO,
	COF_IGNORE_NO_ESTIMATE,
	COF_IGNORE_NOT_WORTH,
	COF_IGNORE_NO_IR,
	COF_IGNORE_DECLINED,
	COF_IGNORE_DRY_RUN,
};

/* What becomes of a method now; names are in tools/units.c. */
enum cof_method_state {
	COF_METHOD_QUIET,
	COF_METHOD_BUILDING,
	COF_METHOD_COUNTING,	/* its current version counts */
	COF_METHOD_FULL,	/* counted enough, to be built */
	COF_METHOD_IGNORED,
};

struct cof_method {
	/* Constant after cof_method_add(). */
	struct cof         *cof;
	void               *data;	/* the host's */
	uintptr_t           stub;
	char               *name;

	/* Written under the code lock; read by any thread (acquire). Letters
	 * are in patcher.c. */
	_Atomic(struct cof_version *) current;
	_Atomic uintptr_t   entry;	/* of current; 0: none. For those who may
					 * not follow the pointer: a record may be
					 * freed at any time but under the lock */

	/* [code] */
	struct cof_site    *callers;	/* sites that lead here, but far ones */
	struct cof_slot    *slots;
	uint32_t            next_number;
	uint32_t            host_number; /* the host itself replaced one by this;
					 * those before never come back */
	struct cof_version *copy;	/* of version 0; patcher/copy.h */
	bool                raw_reach;	/* an entry was ever in a slot or handed
					 * out: registers may hold it */
	uintptr_t           pad;	/* patcher/pad.h; 0: none was needed yet */
	enum cof_padded     padded;	/* who goes by it now */
	uint32_t            inside;	/* trials it is part of: its calls of
					 * padded methods are not counted */
	_Atomic uint64_t   *entries;	/* constant once made: counted by the pad */

	/* P/O. */
	enum cof_ignore     ignore;
	uint64_t            ignore_until;	/* generation */
	uint32_t            ignore_backoff;	/* times it doubled */
	uint32_t            builds;		/* tried so far */
	bool                building;
	double              past_ns;		/* time in former versions, as if
						 * at the current one's speed */
	struct cof_profile *profile;		/* optimizer/profile.h; NULL: never
						 * instrumented */
	struct cof_method  *fresh;		/* the next of those just compiled;
						 * optimizer/fresh.h */
	_Atomic uint32_t    shown;		/* enum cof_method_state, for
						 * cof-stats; read by PRE */

	/* P/O: optimizer/audit.h. */
	struct cof_trial   *trial;	/* it is on trial in */
	/* P/O stores, the history reads: optimizer/thought.h. */
	_Atomic int32_t     trial_permille; /* what B is thought to gain so far; */
	_Atomic uint32_t    trial_weight;   /* how far that is known, permille; */
	_Atomic uint32_t    trial_promised; /* speed-up of the latest trial's B,
					   permille, which stays */
	_Atomic uint32_t    trial_plan;	/* B's, likewise */
	_Atomic bool        refused;	/* known to be hot from the run's start, no
					   plan was worth building for that, and it
					   was not picked since */
	struct cof_version *base;	/* PARKED: what runs before is compared
					 * with, while a version counts */
	uint8_t             rollbacks[COF_PLAN_COUNT];
	uint64_t            banned_until[COF_PLAN_COUNT]; /* generation */

	/* P/O: optimizer/phases.h. */
	struct cof_memory  *memory;	/* NULL: of no phase */

	_Atomic uint64_t    samples;	/* ever, in any version; written by SAM */

	/* Whoever builds; P/O sees to it that there is only one. */
	void               *ir;		/* from gather(); kept for the next build */

	/* [code] all methods of the instance, for cof_free(). */
	struct cof_method  *next;
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
 * `v`. A trial may find more: what a version does to those it calls is taken for
 * its own, and samples that counted three times too much would hide the phases of
 * all other methods. Of two with a profile each is the faster in its own phase, so
 * neither is.
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

/* P/O: what the trial shows so far, and how far that is known. */
static inline void cof_method_tried(struct cof_method *method,
				    int32_t gain_permille, double weight)
{
	atomic_store_explicit(&method->trial_weight, (uint32_t)(weight * 1000),
			      memory_order_relaxed);
	atomic_store_explicit(&method->trial_permille, gain_permille,
			      memory_order_relaxed);
}

/* P/O. */
static inline void cof_method_show(struct cof_method *method,
				   enum cof_method_state state)
{
	atomic_store_explicit(&method->shown, state, memory_order_relaxed);
}

#endif /* COF_VERSION_H */

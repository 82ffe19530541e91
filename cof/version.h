/*
 * version.h - methods, and the JIT-info records of their versions
 *
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
#include "word.h"

enum cof_version_state {
	COF_VERSION_CURRENT,
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
};

/* A word of the host's that leads to a method. */
struct cof_slot {
	struct cof_slot    *next;	/* [code] */
	_Atomic(uintptr_t) *word;	/* the host's */
	uintptr_t           ours;	/* [code] what we last put there */
};

struct cof_version {
	_Atomic uint64_t    word;	/* word.h says who writes which part */
	_Atomic uint64_t    samples;	/* ever; written by SAM */

	/* Constant once in the index. */
	uintptr_t           start, end;
	uintptr_t           entry;
	struct cof_method  *method;
	uint32_t            number;	/* 0 is the method's first */
	enum cof_plan       plan;
	void               *data;	/* the host's */
	struct cof_code     block;
	bool                unwound;	/* its .eh_frame is with sampler/unwind.h */
	struct cof_site    *sites;	/* array; this version's outgoing calls */
	uint32_t            n_sites;

	/* [code] */
	enum cof_version_state state;
	bool                bound;	/* its sites are kept current */

	/* P/O, from RETIRED on. */
	struct cof_version *next_retired;
	uint64_t            retired_ns;	/* then when it entered QUARANTINE */
	uint64_t            sam_turn;	/* as of leaving the index */
	uint64_t            pre_turn;	/* as of when SAM was seen to be done
					 * with it; UINT64_MAX: not yet */
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
	bool                raw_reach;	/* an entry was ever in a slot or handed
					 * out: registers may hold it */

	/* P/O. */
	enum cof_ignore     ignore;
	uint64_t            ignore_until;	/* generation */
	uint32_t            ignore_backoff;	/* times it doubled */
	uint32_t            builds;		/* tried so far */
	bool                building;
	double              past_ns;		/* time in former versions, as if
						 * at the current one's speed */

	/* Whoever builds; P/O sees to it that there is only one. */
	void               *ir;		/* from gather(); kept for the next build */

	/* [code] all methods of the instance, for cof_free(). */
	struct cof_method  *next;
};

#endif /* COF_VERSION_H */

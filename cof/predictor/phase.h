/*
 * phase.h - which phase the program is in, and whether it was in it before
 *
 *	           three windows alike            known: one is enough, or
 *	BETWEEN ---------------------> a phase <-- two if it wanders - BETWEEN
 *	   ^                          new, or back |
 *	   +---------------------------------------+
 *	           two windows in a row unlike it,
 *	           or one that is plainly of a known one
 *
 * A window is one generation, or as many as it takes to have enough samples.
 *
 * A phase has a signature: how the samples of a window fall on methods, and
 * within a method's version on code buckets (phase_signature.h). A slow filter
 * learns it while the phase lasts. signature_similarity.h compares a window
 * with it. So a fast filter, of one window, is compared with a slow one, and
 * the phase ends when they part. One noisy window ends nothing and is not
 * learned. A slow drift is learned.
 *
 * Between two phases, windows in a row are alike only now and then, by chance.
 * So a new phase takes three windows. A known phase takes one, or two after two
 * windows that were not alike.
 *
 * A phase that ended before its fourth window is forgotten: nothing is ready
 * for use in so short a time, and chance would take other windows for it.
 *
 * One window is enough to go from a phase straight to a known one, if it is
 * much more like that. It is not enough to go back to the phase that just
 * ended, which windows were unlike.
 *
 * Two phases may be taken for one: at first, or while the code buckets of a new
 * version are not known. The signature is then learned from both, and both are
 * like it. To tell them apart, the windows of a phase are grouped in runs that
 * are alike. If a run of at least three is followed by three windows that are
 * like each other and like the signature, but not like the run, these are two
 * phases. The signature is learned anew from the former run, unless another
 * known phase is like that. The latter run begins another phase, new or known.
 *
 * A table keeps the phases. Their numbers start at 1 and are never used twice.
 * If the table is full, a new phase replaces the one seen longest ago.
 *
 * Pure: no clock, no thread, no memory but the struct. Owner: PRE.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "predictor/inlined.h"
#include "predictor/phase_signature.h"

#define COF_PHASE_KNOWN  16u	/* phases in the table */

struct cof_phase {
	uint32_t id;		/* 0: the entry is free */
	uint64_t used;		/* cof_phase_table.begun when it last began */
	uint32_t windows;	/* it lasted so far, up to phase_lasting */
	struct cof_phase_signature learned;
};

struct cof_phase_table {
	/* Lasts. */
	struct cof_phase  known[COF_PHASE_KNOWN];
	struct cof_phase *now;		/* NULL: between phases */
	struct cof_phase_signature window;	/* being filled */
	struct cof_phase_signature between;	/* windows alike, since the
						 * last end */
	uint32_t          n_between;	/* windows in it */
	bool              wanders;	/* since then two were not alike */
	struct cof_phase *candidate;	/* what the last window was like */
	struct cof_phase *previous;	/* the phase that ended last: one window
					 * alone does not bring it back */
	bool              unlike;	/* the last window was unlike `now` */
	struct cof_phase_signature run;	/* the latest windows that are alike, */
	struct cof_phase_signature other;	/* and those after them that
						 * are like `now`, not them */
	uint32_t          n_run, n_other;	/* windows in them */
	uint32_t          ids;		/* given out so far */
	uint64_t          begun;	/* phases, new or back */
	struct cof_inlined inlined;

	/* Results of the latest cof_phase_step(). */
	bool              ended, began, back;
	bool              noise;	/* the last window was unlike it */
	bool              forgot;	/* a new phase replaced one */
	bool              window_ended;
	uint32_t          similarity;	/* of the window with the phase it is or
					 * was in, permille; 0: with none */
};

/*
 * Add one generation: s[0..n) are versions with their samples, `all` is the
 * number of all samples. Two signatures are of the same phase if their
 * similarity is at least `same`, in permille.
 */
void cof_phase_step(struct cof_phase_table *p,
		    const struct cof_phase_signature_sample *s,
		    uint32_t n, uint32_t all, uint32_t same);

/* The number of the phase that the program is in; 0: between phases. */
static inline uint32_t cof_phase_now(const struct cof_phase_table *p)
{
	return p->now ? p->now->id : 0;
}

/* How many phases are in the table. */
uint32_t cof_phase_known(const struct cof_phase_table *p);

/* The state in one word, which other threads read: `phase` of struct cof. */
static inline uint64_t cof_phase_pack(const struct cof_phase_table *p)
{
	return (p->begun & UINT32_MAX) << 32 | cof_phase_now(p);
}

static inline uint32_t cof_phase_id(uint64_t word)
{
	return (uint32_t)word;
}

/* Phases begun so far. */
static inline uint32_t cof_phase_begun(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

/*
 * phase.h - which phase is the program in, and was it in it before?
 *
 *	             three windows alike               known: one is enough, or
 *	BETWEEN ------------------------> a phase <--- two while it wanders -- BETWEEN
 *	   ^                             new, or back |
 *	   +------------------------------------------+
 *	             two windows in a row unlike it,
 *	             or one that is plainly of a known one
 *
 * A window is a generation, or as many as it takes to have enough samples. A
 * phase has a signature: how the samples of a window fall on methods, and within
 * a method's version on stretches of its code (phase_signature.h), learned by a slow filter
 * while the phase lasts. How alike the two are says signature_similarity.h. So there are a
 * fast filter, of one window, and a slow one, and a phase ends when they part.
 * One noisy window ends nothing, and is not learned; a slow drift is learned.
 * Between two phases, windows in a row are not alike, or only now and then by
 * chance: so a new phase takes three, and once two were seen that are not, one
 * of before takes two. What ended before it had four was none, and is not known
 * again: nothing it could be used for is ready in so short a time, and chance
 * would take other windows for it.
 *
 * One window is enough to go from a phase straight to another that is known, if
 * it is much more like that; not back to the phase that just ended, for which
 * windows were unlike it.
 *
 * Two phases may be taken for one: at first, or since nobody knows yet where the
 * time goes in a new version. Its signature is learned from both then, and both
 * are like it. So within a phase there are runs of windows that are alike. If
 * one of three at least is followed by three that are like each other and the
 * signature, but not like that run, these are two phases: the signature is
 * learned anew from the former run, unless another phase is known that is like
 * it, and the latter begins another phase, or one that is known.
 *
 * Phases that were seen are kept in a table and have numbers, 1 first. If the
 * table is full the one not seen for longest is forgotten; numbers are never
 * used twice.
 *
 * Pure: no clock, no thread, no memory but the struct. Owner: PRE.
 */
#ifndef COF_PREDICTOR_PHASE_H
#define COF_PREDICTOR_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/inlined.h"
#include "predictor/phase_signature.h"

#define COF_PHASE_KNOWN  16u	/* phases in the table */

struct cof_phase {
	uint32_t       id;	/* 0: this place is free */
	uint64_t       used;	/* cof_phase_table.begun as of its last */
	uint32_t       windows;	/* it lasted so far, or enough */
	struct cof_phase_signature learned;
};

struct cof_phase_table {
	/* Lasts. */
	struct cof_phase        known[COF_PHASE_KNOWN];
	struct cof_phase       *now;	/* NULL: between phases */
	struct cof_phase_signature          window;	/* being filled */
	struct cof_phase_signature          between; /* windows alike, since the last end */
	uint32_t                in_row;	/* so many */
	bool                    wanders; /* two were not, since then: */
	struct cof_phase       *maybe;	/* what the last one was like */
	struct cof_phase       *left;	/* the one that ended last: windows were
					 * unlike it, so one alone does not take
					 * it back */
	bool                    unlike;	/* the last window was, unlike `now` */
	struct cof_phase_signature          run;	/* windows of late that are alike, */
	struct cof_phase_signature          other;	/* and those after them that are not like
					 * them, but all like `now` */
	uint32_t                n_run, n_other;	/* so many */
	uint32_t                ids;	/* given away so far */
	uint64_t                begun;	/* phases, new or back */
	struct cof_inlined      inlined;

	/* Results of the latest turn. */
	bool                    ended, began, back;
	bool                    noise;	/* one window was unlike, this one not */
	bool                    forgot;	/* one had to make room */
	bool                    judged;	/* a window ended: */
	uint32_t                similarity; /* permille, with the phase it is or
					     * was in; 0: with none */
};

/*
 * One generation: n versions with their samples, `all` samples in all. `same`,
 * in permille, is the similarity from which on two are the same phase.
 */
void cof_phase_turn(struct cof_phase_table *p, const struct cof_phase_signature_sample *s,
		    uint32_t n, uint32_t all, uint32_t same);

/* The phase it is in; 0: between phases. */
static inline uint32_t cof_phase_now(const struct cof_phase_table *p)
{
	return p->now ? p->now->id : 0;
}

uint32_t cof_phase_known(const struct cof_phase_table *p);

/* As of the latest turn, in one word for others to read: struct cof, phase. */
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

#endif /* COF_PREDICTOR_PHASE_H */

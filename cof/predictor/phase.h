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
 * a method's version on stretches of its code (spot.h), learned by a slow filter
 * while the phase lasts. So there are a fast filter, of one window, and a slow
 * one, and a phase ends when they part. One noisy window ends nothing, and is
 * not learned; a slow drift is learned. Between two phases, windows in a row are
 * not alike, or only now and then by chance: so a new phase takes three, and once
 * two were seen that are not, one of before takes two. What ended before it had
 * four was none, and is not known again: nothing it could be used for is ready in
 * so short a time, and chance would take other windows for it.
 *
 * One window is enough to go from a phase straight to another that is known, if
 * it is much more like that. A signature that has learned from both, since they
 * were not told apart at first, is left in this way too.
 *
 * Phases that were seen are kept in a table and have numbers, 1 first. If the
 * table is full the one not seen for longest is forgotten; numbers are never
 * used twice.
 *
 * A signature is of methods, so a new version changes nothing: its samples count
 * for as much more as it is faster. But stretches are known for each version by
 * itself, and where one was never seen in a phase they say nothing.
 *
 * A version may have others' bodies inlined, and then their samples are its.
 * That is no change of the program: what such a method has too much of, here or
 * there, goes back to those that are in it and have too little, so far as it ran
 * in that version more here than there, or there than here.
 *
 * How alike a window and a signature are is the overlap of their shares,
 *
 *	sum over methods of min(share, share there) * the same within the method
 *
 * divided by what it would be in the mean if both were drawn from the same
 * distribution, since a window of 50 samples in ten methods has an overlap of
 * no more than 850 permille with its own phase. Of n samples a share p deviates
 * by sqrt(p (1 - p) / n), and the overlap loses half of the mean deviations,
 * which are sqrt(2/pi) of that. The partition is into the methods that have a
 * thirty-second of the signature or a sixteenth of the window, and the rest: a
 * flat profile is nearly all rest. (Overlap of top sets: Dhodapkar, Smith 2003;
 * histograms within a region: Das, Lu, Hsu 2006.)
 *
 * Pure: no clock, no thread, no memory but the struct. Owner: PRE.
 */
#ifndef COF_PREDICTOR_PHASE_H
#define COF_PREDICTOR_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "spot.h"

#define COF_PHASE_KNOWN  16u	/* phases in the table */
#define COF_PHASE_PARTS  32u	/* methods of a signature */
#define COF_PHASE_BODIES 3u	/* versions of each */
#define COF_PHASE_INLINED 32u	/* versions with others inlined in them, */
#define COF_PHASE_CALLEES 16u	/* and these, of each, that are known */
#define COF_PHASE_WINDOW 24u	/* samples; fewer are no window */

struct cof_method;

/* A version's samples of one generation. */
struct cof_phase_sample {
	const struct cof_method *method;
	uint32_t                 number;	/* of the version */
	uint32_t                 calls;
	float                    pace;	/* of the method's first version */
	uint16_t                 spot[COF_SPOTS]; /* may add up to less */
	struct cof_method *const *inlined;	/* in the version; array */
	uint32_t                 n_inlined;
};

/* Methods whose bodies are in a version: what they run there is its. */
struct cof_phase_inlined {
	const struct cof_method *into;		/* NULL: this place is free */
	uint32_t                 number;	/* of the version */
	uint32_t                 n;
	const struct cof_method *of[COF_PHASE_CALLEES];
};

/* Sums of samples, older ones counted for less. */
struct cof_phase_sum {
	float mass;		/* the sum */
	float mass2;		/* of squared factors: mass^2/mass2 samples say
				 * as much */
};

struct cof_phase_body {
	uint32_t             number;	/* of the version */
	uint32_t             seen;	/* learned last, sum's tick */
	float                calls;	/* of the part's, in this version */
	struct cof_phase_sum sum;
	float                spot[COF_SPOTS];
};

struct cof_phase_part {
	const struct cof_method *method;
	float                    calls;
	uint32_t                 n;
	struct cof_phase_body    body[COF_PHASE_BODIES];
};

struct cof_phase_vector {
	struct cof_phase_sum  sum;	/* of all samples, parts or not */
	uint32_t              samples;	/* of a window */
	uint32_t              n, tick;
	struct cof_phase_part part[COF_PHASE_PARTS];
};

struct cof_phase {
	uint32_t                id;	/* 0: this place is free */
	uint64_t                used;	/* cof_phase_table.begun as of its last */
	uint32_t                windows;	/* it lasted so far, or enough */
	struct cof_phase_vector learned;
};

struct cof_phase_table {
	/* Lasts. */
	struct cof_phase        known[COF_PHASE_KNOWN];
	struct cof_phase       *now;	/* NULL: between phases */
	struct cof_phase_vector window;	/* being filled */
	struct cof_phase_vector between; /* windows alike, since the last end */
	uint32_t                in_row;	/* so many */
	bool                    wanders; /* two were not, since then: */
	struct cof_phase       *maybe;	/* what the last one was like */
	bool                    unlike;	/* the last window was, unlike `now` */
	uint32_t                ids;	/* given away so far */
	uint64_t                begun;	/* phases, new or back */
	struct cof_phase_inlined inlined[COF_PHASE_INLINED];
	uint32_t                n_inlined; /* noted so far */

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
void cof_phase_turn(struct cof_phase_table *p, const struct cof_phase_sample *s,
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

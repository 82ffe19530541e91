/*
 * evidence.h - how much longer does B take than A? Three estimates, one verdict
 *
 * A trial is a series of blocks, each a slice of time with version A and one
 * with B, in random order. Of each slice it is known how many samples fell
 * inside what is compared and how many outside, and, where it is counted, how
 * often what is compared was entered, in how much CPU time of the program:
 *
 *	odds   samples inside, the rest of the program is the measure
 *	pace   entries, per CPU time of the whole program
 *	each   samples inside, per entry
 *
 * All are Mantel-Haenszel ratios over the blocks: sums of R and of S, whose
 * quotient is the ratio. A block is a stratum, so phases that last longer than
 * one cancel, and blocks may be as small as they like.
 *
 *	odds   R = inB outA / all         S = inA outB / all        samples
 *	pace   R = entA cpuB / cpu        S = entB cpuA / cpu       counts
 *	each   R = inB entA / ent         S = inA entB / ent        of 8 blocks
 *
 *	log ratio = log(sum R / sum S)    time of B over time of A
 *	variance  = sum (R/sum R - S/sum S)^2                       "sandwich"
 *
 * (Mantel, Haenszel 1959; for rates Greenland, Robins 1985; the variance by
 * linearization holds however irregular a program is inside a block, since the
 * order in the block was drawn at random. Those of odds and each are never
 * taken to be less than of independent samples, Woolf 1955.)
 *
 * Pace is of the whole program, which spends only a share p under A in what is
 * compared: the ratio r there means 1 + (r - 1)/p of it, and likewise from B to
 * A; the mean of both logs is taken. Then odds and pace are joined with the
 * weights that make the variance least, given their covariance, which the
 * blocks show too. Each, which no phase of the others disturbs, but which has
 * the noise of few samples, is taken in their place if it is known better.
 *
 * The verdict is by a mixture sequential probability ratio test (Robbins 1970;
 * Johari, Koomen, Pekelis, Walsh 2017): with x estimated, variance v, and a
 * normal mixture of variance t over what it might be,
 *
 *	L = sqrt(v / (v + t)) exp(x^2 t / (2 v (v + t)))
 *
 * x counts as not zero as soon as L >= 1/error. However often that is looked
 * at, the chance that it ever happens to a version that is neither faster nor
 * slower is at most `error`; and less that a slower one is ever taken for a
 * faster one, or the other way round.
 *
 * Pure: no clock, no thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* One slice, or several of the same kind in a block, added up. */
struct cof_slice {
	double inside, outside;	/* samples */
	double entries, cpu_ns;	/* both 0: not counted */
	double timed;		/* of inside: while entries were counted */
};

/* A ratio over blocks. */
struct cof_ratio {
	double r, s, rr, rs, ss;	/* sums of R, S and their products */
	uint32_t n;			/* blocks that said something */
};

struct cof_evidence {
	struct cof_ratio odds, pace, each;
	struct cof_slice pool[2];	/* A and B, for the next one of each */
	uint32_t pooled;		/* blocks in it */
	double cross_rr, cross_rs, cross_sr, cross_ss; /* odds with pace */
	struct cof_slice a, b;		/* sums */
};

enum cof_finding {
	COF_FINDING_OPEN,		/* go on */
	COF_FINDING_FASTER,
	COF_FINDING_SLOWER,
	COF_FINDING_EQUAL,		/* too little either way to matter */
};

/* As known so far. */
struct cof_measure {
	double log_time;	/* of B over A; below 0: B is faster */
	double error;		/* its standard error */
	double share;		/* of samples inside, under A */
	double pace_weight;	/* how much of it is by entries, 0 to 1 */
	bool   known;		/* at all */
};

/* Add a block. What was not counted in both slices counts in neither. */
void cof_evidence_add(struct cof_evidence *evidence, const struct cof_slice *a,
		      const struct cof_slice *b);

/* Entries are counted on another scale from now on: the evidence is by samples
 * alone again. */
void cof_evidence_forget_entries(struct cof_evidence *evidence);

void cof_evidence_measure(const struct cof_evidence *evidence,
			  struct cof_measure *out);

/*
 * What was measured before, by the same trial in an earlier run, say, joins
 * what is measured now: the mean of least variance of the two. `variance` is of
 * its log_time.
 */
void cof_measure_join(struct cof_measure *measure, double log_time,
		      double variance);

/* `error`: as above, between 0 and 1. */
enum cof_finding cof_measure_find(const struct cof_measure *measure,
				  double error);

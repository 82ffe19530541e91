/*
 * signature_similarity.h - how alike are a window and a signature?
 *
 * A version may have others' bodies inlined, and then their samples are its.
 * That is no change of the program: what such a method has too much of, here or
 * there, goes back to those that are in it and have too little, so far as it
 * ran in that version more here than there, or there than here.
 *
 * The answer is the overlap of their shares,
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
 * Pure. Owner: PRE.
 */
#ifndef COF_PREDICTOR_SIGNATURE_SIMILARITY_H
#define COF_PREDICTOR_SIGNATURE_SIMILARITY_H

#include "predictor/inlined.h"
#include "predictor/phase_signature.h"

/* Of a window with a signature: 0 to 1. `unknown`: what to take for a version
 * of which nothing is known there. */
double cof_signature_similarity(const struct cof_inlined *inlined,
		   const struct cof_phase_signature *here, const struct cof_phase_signature *there,
		   double unknown);

#endif /* COF_PREDICTOR_SIGNATURE_SIMILARITY_H */

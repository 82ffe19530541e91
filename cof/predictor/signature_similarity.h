/*
 * signature_similarity.h - how alike a window and a signature are
 *
 * A version may have other methods inlined, and then it gets their samples.
 * That is no change of the program. So the excess of such a method, here or
 * there, goes back to the methods inlined in it that lack samples, as far as
 * the method ran in that version more here than there, or more there than here.
 *
 * The similarity is the overlap of the shares,
 *
 *	sum over methods of min(share, share there) * overlap within the method
 *
 * divided by its mean if both were drawn from the same distribution
 * (measure/sampling_noise.h): a window of 50 samples in ten methods has an
 * overlap of at most 850 permille with its own phase. With n samples a share p
 * deviates by sqrt(p (1 - p) / n), and the overlap loses half of the mean
 * deviations, which are sqrt(2/pi) of that.
 *
 * The cells are the methods that have a thirty-second of the signature or a
 * sixteenth of the window, and one cell of all others, which holds nearly all
 * of a flat profile. (Overlap of top sets: Dhodapkar, Smith 2003; histograms
 * within a region: Das, Lu, Hsu 2006.)
 *
 * Pure. Owner: PRE.
 */
#pragma once

#include "predictor/inlined.h"
#include "predictor/phase_signature.h"

/* Of the window `here` with the signature `there`: 0 to 1. `unknown`: the
 * overlap of a version that has too few samples there. */
double cof_signature_similarity(const struct cof_inlined *inlined,
				const struct cof_phase_signature *here,
				const struct cof_phase_signature *there,
				double unknown);

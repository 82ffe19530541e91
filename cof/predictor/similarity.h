/*
 * similarity.h - how much of the current top ten was there before?
 *
 *	sum over methods of min(share now, share before)	as permille
 *
 * A method's share is its part of the top ten's weight, so that a program that
 * sleeps half the time is still in the same phase. "Before" is the average
 * share over the latest generations of the history.
 *
 * 1000: the same methods with the same shares; 0: no method in common.
 */
#ifndef COF_PREDICTOR_SIMILARITY_H
#define COF_PREDICTOR_SIMILARITY_H

#include <stdint.h>

#include "predictor/top_lists.h"

/*
 * How many generations "before" is, at most.
 *
 * With one, a slow drift would never show, and the comparison would be mostly
 * with itself: half of a weight is the one before. After four generations a
 * sixteenth of it is left. Many would make each change last: after an abrupt
 * switch the old top ten leaves the average, and the new one is "before", in
 * half of that time plus what the filter takes; with four, that makes three
 * generations in which PRE picks climbers, which is also how long methods of
 * the new phase do climb.
 */

/* Both `now` and the history hold something. */
uint32_t cof_similarity(const struct cof_top *now,
			const struct cof_top_lists *past);

#endif /* COF_PREDICTOR_SIMILARITY_H */

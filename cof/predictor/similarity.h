/*
 * similarity.h - how much of the current top ten was in those before
 *
 *	sum over methods of min(share now, share before)	as permille
 *
 * A method's share is its part of the top ten's weight, so a program that
 * sleeps half the time is still in the same phase. "Before" is the average
 * share over the latest generations, at most similarity_before.
 *
 * 1000: the same methods with the same shares; 0: no method in common.
 *
 * similarity_before is 4. With 1, a slow drift would never show, and the
 * comparison would be mostly of a weight with itself: half of a weight is the
 * weight before. After four generations a sixteenth of it is left. With many,
 * each change would last long. After an abrupt switch, the old top ten leaves
 * the average and the new one becomes "before" in half of the generations plus
 * the delay of the filter. With four, PRE picks climbers for three generations,
 * and the methods of the new phase climb for as long.
 */
#pragma once

#include <stdint.h>

#include "predictor/top_lists.h"

/* In permille. Neither `now` nor `past` may be empty. */
uint32_t cof_similarity(const struct cof_top *now,
			const struct cof_top_lists *past);

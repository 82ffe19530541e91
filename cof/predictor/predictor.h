/*
 * predictor.h - PRE: the thread that forecasts which versions will be hot
 *
 * The thread shell. Once per generation PRE takes the touched versions off the
 * ring, weighs and compares them in pure parts (weight.h, hitlist.h,
 * top_lists.h, similarity.h, generation.h), shows the result in the stats file
 * and hands forecasts to P/O.
 *
 * PRE relies on what SAM does: SAM first adds the sample to the word's calls.
 * If that made them 1, SAM pushes the version to cof->touched. If the ring is
 * full, SAM takes the sample back. So the ring or the hit list leads to each
 * word with calls. When samples come again after a pause, SAM wakes PRE;
 * otherwise the generation that they fall in would last up to a second.
 *
 * Between turns PRE holds pointers to the versions in its hit list and in the
 * ring. A turn looks at all of them. So after one whole turn PRE holds no
 * version that was dead, and that SAM no longer pushed, when the turn began. A
 * turn is whole if it begins after that: wait for pre_turns to grow by 2. Read
 * the number to start from after SAM is known to be done, with a sequentially
 * consistent fence between. The fence pairs with that in cof_predictor_turn().
 */
#pragma once

#include <stdint.h>

#include "predictor/forecast.h"

struct cof;

/* Returns 0 or -COF_E_NOMEM. */
int  cof_predictor_new(struct cof *cof);
/* Start the thread; returns as above. A wake brings it to the next end of a
 * generation. */
int  cof_predictor_start(struct cof *cof);
void cof_predictor_stop(struct cof *cof);	/* join the thread; blocks */
void cof_predictor_free(struct cof *cof);

/*
 * What the thread does each time it wakes, at `now_ns`: a turn, if a generation
 * has ended. Returns how long to sleep unless woken, in ns. The first call
 * begins a generation. Thread: PRE.
 */
uint64_t cof_predictor_step(struct cof *cof, uint64_t now_ns);

/* The turn at the end of a generation, and the list it picked from. For tests
 * without a thread. */
void cof_predictor_turn(struct cof *cof);
enum cof_list cof_predictor_list(const struct cof *cof);

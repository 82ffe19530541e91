/*
 * predictor.h - PRE: from samples per generation to what will be hot next
 *
 * The thread shell: once per generation it takes the touched versions off the
 * ring, has the pure parts weigh and compare them (weight.h, hitlist.h,
 * top_lists.h, similarity.h, generation.h), shows the result in the stats file and
 * hands forecasts to P/O.
 *
 * What PRE expects of SAM: the sample is added to the word's calls first, and
 * if that made them 1 the version is then pushed to cof->touched; if the ring
 * refuses it the sample is taken back. So calls are never left in a word that
 * neither the ring nor the hit list leads to. When samples come again after a
 * pause SAM wakes PRE, or the generation they fall in lasts up to a second.
 *
 * Which versions PRE holds pointers to between turns: those in its hit list and
 * those in the ring. A turn looks at all of them, so after one whole turn none
 * is held that was dead when the turn began, and that SAM had done pushing. To
 * be whole, a turn has to begin after that: wait for pre_turns to grow by 2.
 * The number to start from is read after SAM is known to be done, with a
 * sequentially consistent fence between, which pairs with that in
 * cof_predictor_turn().
 */
#ifndef COF_PREDICTOR_PREDICTOR_H
#define COF_PREDICTOR_PREDICTOR_H

#include <stdint.h>

#include "predictor/forecast.h"

struct cof;

int  cof_predictor_new(struct cof *cof);	/* 0 or -COF_E_NOMEM */
/* Its thread; likewise. A wake brings it to the next end of a generation. */
int  cof_predictor_start(struct cof *cof);
void cof_predictor_stop(struct cof *cof);
void cof_predictor_free(struct cof *cof);

/*
 * What the thread does each time it wakes, at `now_ns`: a turn, if a generation has
 * ended. Returns how long to sleep from then on, unless woken, in ns. The first
 * call begins a generation. PRE.
 */
uint64_t cof_predictor_step(struct cof *cof, uint64_t now_ns);

/* For tests, without a thread: what PRE does at the end of a generation, and what
 * it picked from. */
void cof_predictor_turn(struct cof *cof);
enum cof_list cof_predictor_list(const struct cof *cof);

#endif /* COF_PREDICTOR_PREDICTOR_H */

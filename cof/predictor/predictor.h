/*
 * predictor.h - PRE: from samples per generation to what will be hot next
 *
 * The thread shell: once per generation it takes the touched versions off the
 * ring, has the pure parts weigh and compare them (weight.h, hitlist.h,
 * history.h, similarity.h, turn.h), shows the result in the stats file and hands
 * forecasts to P/O.
 */
#ifndef COF_PREDICTOR_PREDICTOR_H
#define COF_PREDICTOR_PREDICTOR_H

struct cof;

int  cof_predictor_start(struct cof *cof);	/* 0 or -COF_E_NOMEM */
void cof_predictor_stop(struct cof *cof);
void cof_predictor_free(struct cof *cof);

/* PRE turns soon, even if it sleeps. Any thread. */
void cof_predictor_wake(struct cof *cof);

#endif /* COF_PREDICTOR_PREDICTOR_H */

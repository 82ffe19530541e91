/*
 * hitlist.h - the versions whose weight passed the threshold
 *
 * An array without order. A member has COF_WORD_HIT set in its word, so that it
 * is in the list once; weight.h says when it joins and leaves, generation.c does it.
 *
 * Thread: PRE only. The list holds plain pointers; code/version.h says how long they
 * are good.
 */
#ifndef COF_PREDICTOR_HITLIST_H
#define COF_PREDICTOR_HITLIST_H

#include <stdbool.h>
#include <stdint.h>

struct cof_version;

struct cof_hitlist {
	struct cof_version **at;
	uint32_t n, room;
};

void cof_hitlist_free(struct cof_hitlist *hits);

/*
 * See to it that the next cof_hitlist_add() has room. False: no memory; then
 * the version must not join, and gets its next chance when it is sampled again.
 */
bool cof_hitlist_reserve(struct cof_hitlist *hits);

/* There is room, see above. */
void cof_hitlist_add(struct cof_hitlist *hits, struct cof_version *version);

/* Take member i out; the last one takes its place. */
void cof_hitlist_remove(struct cof_hitlist *hits, uint32_t i);

#endif /* COF_PREDICTOR_HITLIST_H */

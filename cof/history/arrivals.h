/*
 * arrivals.h - methods of the known hot set that the program has by now
 *
 *	_add() ----------> waiting --- _take() ---> P/O --- _settled() ---> done
 *	any thread                     P/O only
 *
 * What the host kept goes in as one unit, so such methods wait until the host says
 * that all are there: _ready(). It may _wait() then until they are done.
 */
#ifndef COF_HISTORY_ARRIVALS_H
#define COF_HISTORY_ARRIVALS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "history/store/record.h"

struct cof_method;

struct cof_history_arrival {
	struct cof_method               *method;
	const struct cof_history_method *known;
};

struct cof_history_arrivals {
	pthread_mutex_t lock;
	/* [lock] */
	struct cof_history_arrival one[COF_HISTORY_METHODS];
	uint32_t        n;
	uint32_t        n_taken;	/* of these, by P/O, */
	uint32_t        n_settled;	/* and it is done with */
	bool            ready;
	pthread_cond_t  settled;	/* more of them are */
};

void cof_history_arrivals_init(struct cof_history_arrivals *a);
void cof_history_arrivals_free(struct cof_history_arrivals *a);

/* Once is enough. More than COF_HISTORY_METHODS are forgotten. */
void cof_history_arrivals_add(struct cof_history_arrivals *a,
			      struct cof_method *method,
			      const struct cof_history_method *known);

/* False: none that may be taken. `at_once`: also before _ready(). */
bool cof_history_arrivals_take(struct cof_history_arrivals *a, bool at_once,
			       struct cof_history_arrival *out);

void cof_history_arrivals_settled(struct cof_history_arrivals *a);

/* All have arrived. */
void cof_history_arrivals_ready(struct cof_history_arrivals *a);

/* Until all that arrived are done, or so long at most. */
void cof_history_arrivals_wait(struct cof_history_arrivals *a, uint64_t ns);

#endif /* COF_HISTORY_ARRIVALS_H */

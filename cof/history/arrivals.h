/*
 * arrivals.h - queue of known-hot methods that arrived in this run
 *
 *	_add() ----------> waiting --- _take() ---> P/O --- _settled() ---> done
 *	any thread                     P/O only
 *
 * Versions that the host cached are installed as one unit. Such methods wait
 * until the host says with _ready() that all have arrived. The host may then
 * _wait() until P/O is done with them. What P/O puts off with _again() is done
 * for those that wait, and comes once more in another generation.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "history/store/record.h"

struct cof_method;

struct cof_history_arrival {
	struct cof_method               *method;
	const struct cof_history_method *known;
	uint32_t                         times;	/* put off so far */
};

struct cof_history_arrivals {
	pthread_mutex_t lock;
	/* [lock] */
	struct cof_history_arrival one[COF_HISTORY_METHODS];
	uint32_t        n;
	uint32_t        n_taken;	/* by P/O, of n */
	uint32_t        n_settled;	/* P/O is done with, of n_taken */
	bool            ready;
	pthread_cond_t  settled;	/* n_settled grew */

	/* P/O's. */
	struct cof_history_arrival later[COF_HISTORY_METHODS];
	uint32_t        n_later;
	uint32_t        n_due;		/* of these, the first ones */
	uint64_t        later_since;	/* generation in which the others were
					 * put off */
};

void cof_history_arrivals_init(struct cof_history_arrivals *a);
void cof_history_arrivals_free(struct cof_history_arrivals *a);

/*
 * Add a method; a second call for the same one does nothing. Methods beyond
 * COF_HISTORY_METHODS are dropped. Thread: any.
 */
void cof_history_arrivals_add(struct cof_history_arrivals *a,
			      struct cof_method *method,
			      const struct cof_history_method *known);

/*
 * Take the next method. `at_once`: also before _ready(). False: there is none
 * that may be taken. Thread: P/O.
 */
bool cof_history_arrivals_take(struct cof_history_arrivals *a, bool at_once,
			       struct cof_history_arrival *out);

/* Put `one` off, in `generation`. Thread: P/O. */
void cof_history_arrivals_again(struct cof_history_arrivals *a,
				uint64_t generation,
				const struct cof_history_arrival *one);

/* Take one that was put off in an earlier generation. Thread: P/O. */
bool cof_history_arrivals_take_again(struct cof_history_arrivals *a,
				     uint64_t generation,
				     struct cof_history_arrival *out);

/* All that was taken is done. Thread: P/O. */
void cof_history_arrivals_settled(struct cof_history_arrivals *a);

/* All have arrived. Thread: any. */
void cof_history_arrivals_ready(struct cof_history_arrivals *a);

/* Block until P/O is done with all that arrived, for at most `ns`. */
void cof_history_arrivals_wait(struct cof_history_arrivals *a, uint64_t ns);

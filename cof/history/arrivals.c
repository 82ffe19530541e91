/*
 * arrivals.c - a queue that can be waited for until it is done
 */
#include "history/arrivals.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"

void cof_history_arrivals_init(struct cof_history_arrivals *a)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&a->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC); /* never jumps */
	pthread_cond_init(&a->settled, &attr);
	pthread_condattr_destroy(&attr);
}

void cof_history_arrivals_free(struct cof_history_arrivals *a)
{
	pthread_cond_destroy(&a->settled);
	pthread_mutex_destroy(&a->lock);
}

void cof_history_arrivals_add(struct cof_history_arrivals *a,
			      struct cof_method *method,
			      const struct cof_history_method *known)
{
	uint32_t i = 0;

	pthread_mutex_lock(&a->lock);
	while (i < a->n && a->one[i].method != method)
		i++;
	if (i == a->n && i < COF_HISTORY_METHODS)
		a->one[a->n++] = (struct cof_history_arrival){ method, known,
							       0 };
	pthread_mutex_unlock(&a->lock);
}

bool cof_history_arrivals_take(struct cof_history_arrivals *a, bool at_once,
			       struct cof_history_arrival *out)
{
	bool took;

	pthread_mutex_lock(&a->lock);
	took = a->n_taken < a->n && (a->ready || at_once);
	if (took)
		*out = a->one[a->n_taken++];
	pthread_mutex_unlock(&a->lock);
	return took;
}

void cof_history_arrivals_again(struct cof_history_arrivals *a,
				uint64_t generation,
				const struct cof_history_arrival *one)
{
	if (a->n_later < COF_HISTORY_METHODS)
		a->later[a->n_later++] = *one;
	a->later_since = generation;
}

bool cof_history_arrivals_take_again(struct cof_history_arrivals *a,
				     uint64_t generation,
				     struct cof_history_arrival *out)
{
	/* Those that are put off meanwhile begin anew. */
	if (a->n_due == 0 && a->later_since != generation) {
		a->n_due = a->n_later;
		a->later_since = generation;
	}
	if (a->n_due == 0)
		return false;
	*out = a->later[0];
	a->n_due--;
	a->n_later--;
	memmove(a->later, a->later + 1, a->n_later * sizeof(*a->later));
	return true;
}

void cof_history_arrivals_settled(struct cof_history_arrivals *a)
{
	pthread_mutex_lock(&a->lock);
	if (a->n_settled != a->n_taken)
		pthread_cond_broadcast(&a->settled);
	a->n_settled = a->n_taken;
	pthread_mutex_unlock(&a->lock);
}

void cof_history_arrivals_ready(struct cof_history_arrivals *a)
{
	pthread_mutex_lock(&a->lock);
	a->ready = true;
	pthread_mutex_unlock(&a->lock);
}

void cof_history_arrivals_wait(struct cof_history_arrivals *a, uint64_t ns)
{
	uint64_t until = cof_clock_ns() + ns;
	struct timespec at = { (time_t)(until / COF_S_NS),
			       (long)(until % COF_S_NS) };
	int err = 0;

	pthread_mutex_lock(&a->lock);
	while (a->n_settled < a->n && err == 0)
		err = pthread_cond_timedwait(&a->settled, &a->lock, &at);
	pthread_mutex_unlock(&a->lock);
}

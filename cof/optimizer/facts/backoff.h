/*
 * backoff.h - methods not worth a look for now, why, and until when
 *
 *	          mark                     generation >= until
 *	(none) ----------> marked, SETTLED ---------------------------> (none)
 *	                   |            ^
 *	                   +-- again: twice as long (NOT_WORTH: not) --+
 *
 * A mark keeps P/O from asking the host the same question over and over. It
 * expires, since the program may have changed. NOT_WORTH only means that the
 * method has not run for long enough yet, so it is asked again soon.
 *
 * Pure: no thread, no clock; of a method only `backoff` is touched.
 * Owner: P/O.
 */
#ifndef COF_OPTIMIZER_FACTS_BACKOFF_H
#define COF_OPTIMIZER_FACTS_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

#include "code/version.h"

/* Mark from `generation` on. `length`: opts.backoff_generations. */
void cof_backoff_mark(struct cof_method *method, enum cof_backoff reason,
		     uint64_t generation, uint32_t length);

/* Is it marked in `generation`? */
bool cof_backoff_active(const struct cof_method *method, uint64_t generation);

/* A build of it succeeded: no mark, and the next one is short again. */
void cof_backoff_forgive(struct cof_method *method);

const char *cof_backoff_name(enum cof_backoff reason);

/* The methods that are marked, so that marks can be taken off in time. */
struct cof_backoffs {
	struct cof_method **method;
	uint32_t            n, room;
};

/* 0 or -COF_E_NOMEM. A method is in the list once. */
int  cof_backoffs_add(struct cof_backoffs *list, struct cof_method *method);

/*
 * Take one method off whose mark has expired, or NULL: there is none. Clears
 * the mark, not its length.
 */
struct cof_method *cof_backoffs_expire(struct cof_backoffs *list,
				      uint64_t generation);

/* The generation in which the next mark expires; UINT64_MAX: none. */
uint64_t cof_backoffs_next(const struct cof_backoffs *list);

void cof_backoffs_free(struct cof_backoffs *list);

#endif /* COF_OPTIMIZER_FACTS_BACKOFF_H */

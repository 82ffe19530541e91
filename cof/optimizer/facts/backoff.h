/*
 * backoff.h - methods that P/O does not look at for now, why, and until when
 *
 *	          mark                     generation >= until
 *	(none) ----------> marked, SETTLED ---------------------------> (none)
 *	                   |            ^
 *	                   +-- marked again: twice as long (not NOT_WORTH)
 *
 * A mark keeps P/O from asking the host the same question again and again. It
 * expires, since the program may have changed. NOT_WORTH only means that the
 * method has not run for long enough yet, so P/O asks again soon.
 *
 * Pure: no thread, no clock. Of a method it touches only `backoff`.
 * Owner: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "code/version.h"

/* Mark the method from `generation` on. `length`: opts.backoff_generations. */
void cof_backoff_mark(struct cof_method *method, enum cof_backoff reason,
		      uint64_t generation, uint32_t length);

/* Is the method marked in `generation`? */
bool cof_backoff_active(const struct cof_method *method, uint64_t generation);

/* A build succeeded: clear the mark, and let the next one be short again. */
void cof_backoff_forgive(struct cof_method *method);

/* The marked methods, so that P/O can clear marks in time. */
struct cof_backoffs {
	struct cof_method **method;
	uint32_t            n, room;
};

/* Add a method, unless the list has it already. 0 or -COF_E_NOMEM. */
int  cof_backoffs_add(struct cof_backoffs *list, struct cof_method *method);

/*
 * Take off one method whose mark has expired, and clear the mark but not its
 * doublings. NULL: there is none.
 */
struct cof_method *cof_backoffs_expire(struct cof_backoffs *list,
				       uint64_t generation);

/* The generation in which the next mark expires; UINT64_MAX: none. */
uint64_t cof_backoffs_next(const struct cof_backoffs *list);

void cof_backoffs_free(struct cof_backoffs *list);

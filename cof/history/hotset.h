/*
 * hotset.h - the hot set of earlier runs, looked up by name
 *
 * Pure. Made once; then methods are found from any thread.
 */
#ifndef COF_HISTORY_HOTSET_H
#define COF_HISTORY_HOTSET_H

#include "history/store/record.h"

struct cof_history_hotset {
	const struct cof_history_past *past;	/* the caller's */
	uint32_t *slot;		/* place in past->method, plus 1; 0: free */
	uint32_t  mask;
	uint32_t  n;		/* methods in it */
};

/* The methods of `past` that are worth to be built at once. 0 or -COF_E_NOMEM:
 * then it is empty. */
int  cof_history_hotset_make(struct cof_history_hotset *set,
			     const struct cof_history_past *past);
void cof_history_hotset_free(struct cof_history_hotset *set);

/* NULL: not in it. */
const struct cof_history_method *
cof_history_hotset_find(const struct cof_history_hotset *set,
			const char *name);

#endif /* COF_HISTORY_HOTSET_H */

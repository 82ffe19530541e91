/*
 * hotset.h - the hot set of earlier runs, looked up by name
 *
 * Pure. Once it is made, any thread may look methods up.
 */
#pragma once

#include "history/store/record.h"

struct cof_history_hotset {
	const struct cof_history_past *past;	/* the caller's */
	uint32_t *slot;		/* index in past->method, plus 1; 0: free */
	uint32_t  mask;
	uint32_t  n;		/* methods in it */
};

/* Fill *set with the methods of `past` that are worth building at once. `past`
 * must outlive it. 0, or -COF_E_NOMEM: then the set is empty. */
int  cof_history_hotset_make(struct cof_history_hotset *set,
			     const struct cof_history_past *past);
void cof_history_hotset_free(struct cof_history_hotset *set);

/* The set's method of that name, in `past`; NULL: not in the set. */
const struct cof_history_method *
cof_history_hotset_find(const struct cof_history_hotset *set,
			const char *name);

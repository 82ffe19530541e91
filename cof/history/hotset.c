/*
 * hotset.c - an open hash table of method names, at most a quarter full
 */
#include "history/hotset.h"

#include <string.h>

#include "base/hash.h"
#include "history/run_verdict.h"
#include "memory/mem.h"

/* A name is known by the part of it that fits a record. */
static uint32_t slot_of(const char *name)
{
	char cut[COF_HISTORY_NAME];
	uint8_t sum[COF_HASH_BYTES];

	cof_history_text(cut, sizeof(cut), name);
	cof_hash(cut, strlen(cut), sum);
	return (uint32_t)sum[0] | (uint32_t)sum[1] << 8;
}

static bool is_named(const struct cof_history_method *m, const char *name)
{
	char cut[COF_HISTORY_NAME];

	cof_history_text(cut, sizeof(cut), name);
	return strcmp(m->name, cut) == 0;
}

int cof_history_hotset_make(struct cof_history_hotset *set,
			    const struct cof_history_past *past)
{
	uint32_t slots = 4 * COF_HISTORY_METHODS;

	memset(set, 0, sizeof(*set));
	_Static_assert((4 * COF_HISTORY_METHODS &
			(4 * COF_HISTORY_METHODS - 1)) == 0, "a power of two");
	set->slot = cof_mem_alloc(slots * sizeof(*set->slot));
	if (!set->slot)
		return -COF_E_NOMEM;
	set->past = past;
	set->mask = slots - 1;
	for (uint32_t i = 0; i < past->n_methods; i++) {
		const struct cof_history_method *m = &past->method[i];
		uint32_t at = slot_of(m->name) & set->mask;

		if (!cof_history_is_known(m, past->samples) ||
		    set->n == COF_HISTORY_METHODS ||
		    cof_history_hotset_find(set, m->name))
			continue;
		while (set->slot[at] != 0)
			at = (at + 1) & set->mask;
		set->slot[at] = i + 1;
		set->n++;
	}
	return 0;
}

void cof_history_hotset_free(struct cof_history_hotset *set)
{
	cof_mem_free(set->slot);
	memset(set, 0, sizeof(*set));
}

const struct cof_history_method *
cof_history_hotset_find(const struct cof_history_hotset *set,
			const char *name)
{
	if (set->n == 0)
		return NULL;
	for (uint32_t at = slot_of(name) & set->mask; set->slot[at] != 0;
	     at = (at + 1) & set->mask) {
		const struct cof_history_method *m =
			&set->past->method[set->slot[at] - 1];

		if (is_named(m, name))
			return m;
	}
	return NULL;
}

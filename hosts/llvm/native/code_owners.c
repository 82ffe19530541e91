/*
 * code_owners.c - entries sorted by address; see code_owners.h
 */
#include "native/code_owners.h"

#include <stdlib.h>

#include "support/xcalloc.h"

struct key {
	uintptr_t at;
	uint32_t  number;
};

static int by_address(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static uintptr_t start_of(const struct cofl_code_owners *o, uint32_t k)
{
	return cofl_executable_address(o->executable, o->number[k]);
}

void cofl_code_owners_init(struct cofl_code_owners *owners,
			   const struct cofl_executable *e)
{
	uint32_t all = e->head->n_functions, n = 0;
	struct key *key = cofl_xcalloc(all + 1, sizeof(*key));

	for (uint32_t i = 0; i < all; i++)
		if (e->entry[i].bytes != 0)
			key[n++] = (struct key){
				cofl_executable_address(e, i), i };
	qsort(key, n, sizeof(*key), by_address);
	*owners = (struct cofl_code_owners){ .executable = e };
	owners->number = cofl_xcalloc(n + 1, sizeof(*owners->number));
	for (uint32_t k = 0; k < n; k++)
		if (k == 0 || key[k].at != key[k - 1].at)
			owners->number[owners->n++] = key[k].number;
	free(key);
}

int64_t cofl_code_owners_find(const struct cofl_code_owners *o, uintptr_t at)
{
	uint32_t low = 0, high = o->n;

	/* Those before `low` begin at or before `at`. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (start_of(o, middle) <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || at - start_of(o, low - 1) >=
			o->executable->entry[o->number[low - 1]].bytes)
		return -1;
	return o->number[low - 1];
}

bool cofl_code_owners_has(const struct cofl_code_owners *o, uint32_t number)
{
	uintptr_t at = cofl_executable_address(o->executable, number);

	return o->executable->entry[number].bytes != 0 &&
	       cofl_code_owners_find(o, at) == number;
}

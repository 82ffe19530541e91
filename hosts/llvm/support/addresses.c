/*
 * addresses.c - check such a record; see addresses.h
 */
#include "support/addresses.h"

#include <string.h>

_Static_assert(sizeof(struct cofl_addresses) == 24, "");
_Static_assert(sizeof(struct cofl_address) == 24, "");

static bool is_function(const struct cofl_address *a)
{
	return a->flags & COFL_ADDRESS_FUNCTION;
}

/* Functions by address, no two at one; then the others by name. */
static bool in_order(const struct cofl_addresses *h,
		     const struct cofl_address *list, const char *names)
{
	for (uint32_t i = 0; i < h->n; i++) {
		const struct cofl_address *a = &list[i], *before = a - 1;

		if (is_function(a) != (i < h->n_functions))
			return false;
		if (i == 0 || i == h->n_functions)
			continue;
		if (is_function(a) ? before->address >= a->address :
		    strcmp(names + before->name, names + a->name) > 0)
			return false;
	}
	return true;
}

bool cofl_addresses_open(const struct cofl_addresses **head,
			 const struct cofl_address **entries,
			 const char **names, const char *bytes, size_t n_bytes)
{
	const struct cofl_addresses *h = (const void *)bytes;
	const struct cofl_address *list = (const void *)(h + 1);
	const char *text;

	if ((uintptr_t)bytes % _Alignof(struct cofl_addresses) != 0 ||
	    n_bytes < sizeof(*h) || h->magic != COFL_ADDRESSES_MAGIC ||
	    h->n > (n_bytes - sizeof(*h)) / sizeof(*list) ||
	    h->n_functions > h->n ||
	    h->name_bytes != n_bytes - sizeof(*h) - h->n * sizeof(*list) ||
	    h->name_bytes == 0 || bytes[n_bytes - 1] != '\0')
		return false;
	text = (const char *)(list + h->n);
	for (uint32_t i = 0; i < h->n; i++)
		if (list[i].name >= h->name_bytes ||
		    list[i].version >= h->name_bytes)
			return false;
	if (!in_order(h, list, text))
		return false;
	*head = h;
	*entries = list;
	*names = text;
	return true;
}

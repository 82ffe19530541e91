/*
 * native_points.c - see native_points.h
 */
#include "support/native_points.h"

#include <stdlib.h>
#include <string.h>

#include "support/section.h"

_Static_assert(sizeof(struct cofl_native_point) == 32, "");

static int by_entry(const void *x, const void *y)
{
	const struct cofl_native_point *a = x, *b = y;

	if (a->entry != b->entry)
		return a->entry < b->entry ? -1 : 1;
	if (a->loop != b->loop)
		return a->loop < b->loop ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Linkers write 0, and for some sections 1, in place of what is discarded. */
static bool is_there(const struct cofl_native_point *p)
{
	return p->at > 1 && p->entry > 1 && p->words > 1;
}

struct cofl_native_point *cofl_native_points_collect(const char *bytes,
						     size_t n_bytes, size_t *n)
{
	struct cofl_native_point *list;
	Elf64_Shdr section;
	size_t all;

	*n = 0;
	if (!cofl_section_find(bytes, n_bytes, COFL_SECTION_POINTS,
			       &section) ||
	    section.sh_flags & SHF_COMPRESSED ||
	    section.sh_size % sizeof(*list) != 0 || section.sh_size == 0)
		return NULL;
	list = malloc(section.sh_size);
	if (list == NULL)
		return NULL;
	memcpy(list, bytes + section.sh_offset, section.sh_size);
	all = section.sh_size / sizeof(*list);
	for (size_t i = 0; i < all; i++)
		if (is_there(&list[i]))
			list[(*n)++] = list[i];
	qsort(list, *n, sizeof(*list), by_entry);
	return list;
}

static bool agree(const struct cofl_native_point *a,
		  const struct cofl_native_point *b)
{
	return a->words == b->words && a->n_loops == b->n_loops;
}

bool cofl_native_points_open(const struct cofl_native_point **list, size_t *n,
			     const char *bytes, size_t n_bytes)
{
	const struct cofl_native_point *p = (const void *)bytes;

	if ((uintptr_t)bytes % _Alignof(struct cofl_native_point) != 0 ||
	    n_bytes % sizeof(*p) != 0)
		return false;
	*n = n_bytes / sizeof(*p);
	for (size_t i = 0; i < *n; i++)
		if (!is_there(&p[i]) || p[i].loop >= p[i].n_loops ||
		    p[i].words % _Alignof(uint64_t) != 0 ||
		    (i > 0 && by_entry(&p[i - 1], &p[i]) >= 0) ||
		    (i > 0 && p[i - 1].entry == p[i].entry &&
		     !agree(&p[i - 1], &p[i])))
			return false;
	*list = p;
	return true;
}

const struct cofl_native_point *
cofl_native_points_of(const struct cofl_native_point *list, size_t n,
		      uint64_t entry, size_t *n_found)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (list[mid].entry < entry)
			lo = mid + 1;
		else
			hi = mid;
	}
	*n_found = 0;
	while (lo + *n_found < n && list[lo + *n_found].entry == entry)
		++*n_found;
	return *n_found > 0 ? &list[lo] : NULL;
}

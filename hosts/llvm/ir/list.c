/*
 * list.c - capacity doubles; see list.h
 */
#include "ir/list.h"

#include <stdlib.h>

#include "support/xcalloc.h"

void *cofl_list_add(struct cofl_list *list, size_t n)
{
	size_t *capacity = &list->capacity;
	void *to;

	if (list->n + n > *capacity) {
		while (list->n + n > *capacity)
			*capacity = *capacity ? 2 * *capacity : 64;
		list->at = cofl_xcalloc_grow(list->at, list->capacity,
					     list->size);
	}
	to = list->at + list->n * list->size;
	list->n += n;
	return to;
}

void cofl_list_free(struct cofl_list *list)
{
	free(list->at);
	*list = (struct cofl_list){ .size = list->size };
}

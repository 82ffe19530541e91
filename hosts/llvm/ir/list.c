/*
 * list.c - twice as much each time
 */
#include "ir/list.h"

#include <stdlib.h>

#include "support/fatal.h"

void *cofl_list_add(struct cofl_list *list, size_t n)
{
	void *to;

	if (list->n + n > list->room) {
		while (list->n + n > list->room)
			list->room = list->room ? 2 * list->room : 64;
		list->at = realloc(list->at, list->room * list->size);
		if (list->at == NULL)
			cofl_fatal("out of memory");
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

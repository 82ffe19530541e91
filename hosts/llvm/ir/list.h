/*
 * list.h - a growing list of elements of one size
 */
#pragma once

#include <stddef.h>

struct cofl_list {
	char  *at;
	size_t n, room;		/* elements */
	size_t size;		/* of one */
};

/* Room for n more at the end, to be filled; never NULL. Others may move. */
void *cofl_list_add(struct cofl_list *list, size_t n);

void cofl_list_free(struct cofl_list *list);

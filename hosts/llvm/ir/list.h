/*
 * list.h - a growing list of elements of one size
 */
#pragma once

#include <stddef.h>

struct cofl_list {
	char  *at;
	size_t n, capacity;	/* elements */
	size_t size;		/* of one */
};

/* Add n elements at the end, for the caller to fill in. Never NULL. The others
 * may move. */
void *cofl_list_add(struct cofl_list *list, size_t n);

void cofl_list_free(struct cofl_list *list);

/*
 * version_list.h - a stack of retired versions
 *
 * Versions are linked by `retired.next`, so a version is in one such list at a
 * time. Thread: as the list's owner says.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/version.h"

struct cof_version_list {
	struct cof_version *first;
	uint32_t            n;
};

static inline void cof_version_list_push(struct cof_version_list *list,
					 struct cof_version *v)
{
	v->retired.next = list->first;
	list->first = v;
	list->n++;
}

/* NULL: the list is empty. */
static inline struct cof_version *
cof_version_list_pop(struct cof_version_list *list)
{
	struct cof_version *v = list->first;

	if (v) {
		list->first = v->retired.next;
		list->n--;
	}
	return v;
}

/* False: it is not in the list. */
static inline bool cof_version_list_remove(struct cof_version_list *list,
					   const struct cof_version *v)
{
	struct cof_version **at = &list->first;

	while (*at && *at != v)
		at = &(*at)->retired.next;
	if (!*at)
		return false;
	*at = v->retired.next;
	list->n--;
	return true;
}

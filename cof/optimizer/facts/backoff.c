/*
 * backoff.c - set and clear marks, and list the marked methods
 */
#include "optimizer/facts/backoff.h"

#include "memory/mem.h"
#include "options/tuning.h"

void cof_backoff_mark(struct cof_method *method, enum cof_backoff reason,
		      uint64_t generation, uint32_t length)
{
	uint64_t n = length;

	if (reason == COF_BACKOFF_NOT_WORTH) {
		if (n > COF_TUNE(backoff_not_worth))
			n = COF_TUNE(backoff_not_worth);
	} else {
		n <<= method->backoff.doublings;
		if (method->backoff.doublings < COF_TUNE(backoff_doublings))
			method->backoff.doublings++;
	}
	method->backoff.reason = reason;
	method->backoff.until = generation + n;
}

bool cof_backoff_active(const struct cof_method *method, uint64_t generation)
{
	return method->backoff.reason != COF_BACKOFF_NO &&
	       generation < method->backoff.until;
}

void cof_backoff_forgive(struct cof_method *method)
{
	method->backoff.reason = COF_BACKOFF_NO;
	method->backoff.doublings = 0;
}

int cof_backoffs_add(struct cof_backoffs *list, struct cof_method *method)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->method[i] == method)
			return 0;
	if (!cof_mem_reserve(&list->method, &list->room, list->n + 1,
			     sizeof(*list->method)))
		return -COF_E_NOMEM;
	list->method[list->n++] = method;
	return 0;
}

struct cof_method *cof_backoffs_expire(struct cof_backoffs *list,
				       uint64_t generation)
{
	for (uint32_t i = 0; i < list->n; i++) {
		struct cof_method *method = list->method[i];

		if (cof_backoff_active(method, generation))
			continue;
		list->method[i] = list->method[--list->n];
		method->backoff.reason = COF_BACKOFF_NO;
		return method;
	}
	return NULL;
}

uint64_t cof_backoffs_next(const struct cof_backoffs *list)
{
	uint64_t next = UINT64_MAX;

	for (uint32_t i = 0; i < list->n; i++)
		if (list->method[i]->backoff.until < next)
			next = list->method[i]->backoff.until;
	return next;
}

void cof_backoffs_free(struct cof_backoffs *list)
{
	cof_mem_free(list->method);
	*list = (struct cof_backoffs){ 0 };
}

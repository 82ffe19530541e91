/*
 * backoff.c - marks, and the list of marked methods
 */
#include "optimizer/facts/backoff.h"

#include "memory/mem.h"
#include "options/tuning.h"

void cof_ignore_mark(struct cof_method *method, enum cof_ignore reason,
		     uint64_t generation, uint32_t length)
{
	uint64_t n = length;

	if (reason == COF_IGNORE_NOT_WORTH) {
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

bool cof_ignore_active(const struct cof_method *method, uint64_t generation)
{
	return method->backoff.reason != COF_IGNORE_NO &&
	       generation < method->backoff.until;
}

void cof_ignore_forgive(struct cof_method *method)
{
	method->backoff.reason = COF_IGNORE_NO;
	method->backoff.doublings = 0;
}

const char *cof_ignore_name(enum cof_ignore reason)
{
	static const char *const name[] = {
#define NAME(name, text) text,
		COF_IGNORE_REASONS(NAME)
#undef NAME
	};

	return name[reason];
}

int cof_ignored_add(struct cof_ignored *list, struct cof_method *method)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->method[i] == method)
			return 0;
	if (list->n == list->room) {
		uint32_t room = list->room ? list->room * 2 : 32;
		void *p = cof_realloc(list->method,
				      room * sizeof(*list->method));

		if (!p)
			return -COF_E_NOMEM;
		list->method = p;
		list->room = room;
	}
	list->method[list->n++] = method;
	return 0;
}

struct cof_method *cof_ignored_expire(struct cof_ignored *list,
				      uint64_t generation)
{
	for (uint32_t i = 0; i < list->n; i++) {
		struct cof_method *method = list->method[i];

		if (cof_ignore_active(method, generation))
			continue;
		list->method[i] = list->method[--list->n];
		method->backoff.reason = COF_IGNORE_NO;
		return method;
	}
	return NULL;
}

uint64_t cof_ignored_next(const struct cof_ignored *list)
{
	uint64_t next = UINT64_MAX;

	for (uint32_t i = 0; i < list->n; i++)
		if (list->method[i]->backoff.until < next)
			next = list->method[i]->backoff.until;
	return next;
}

void cof_ignored_free(struct cof_ignored *list)
{
	cof_free_mem(list->method);
	*list = (struct cof_ignored){ 0 };
}

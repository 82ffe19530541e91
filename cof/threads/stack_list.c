/*
 * stack_list.c - the stacks that the host lists, as those of fibers
 */
#include "instance.h"
#include "memory/mem.h"
#include "threads/threads.h"

int cof_stack_add(struct cof *cof, const void *lo, const void *hi)
{
	struct cof_threads *all = cof->threads;
	struct cof_stack *s, *new;
	int err = 0;

	if (!lo || (uintptr_t)lo >= (uintptr_t)hi)
		return -COF_E_INVAL;
	new = cof_mem_alloc(sizeof(*new));
	if (!new)
		return -COF_E_NOMEM;
	new->lo = (uintptr_t)lo;
	new->hi = (uintptr_t)hi;

	pthread_mutex_lock(&all->lock);
	/* They must be disjoint: a scan looks for the stack of an address
	 * (reclaim/scan.h). */
	for (s = all->stacks; s && (s->hi <= new->lo || new->hi <= s->lo);
	     s = s->next)
		;
	if (s) {
		err = s->lo == new->lo ? -COF_E_STATE	/* listed already */
				       : -COF_E_INVAL;
	} else {
		new->next = all->stacks;
		all->stacks = new;
		all->lists_stacks = true;
	}
	pthread_mutex_unlock(&all->lock);
	if (err != 0)
		cof_mem_free(new);
	return err;
}

void cof_stack_remove(struct cof *cof, const void *lo)
{
	struct cof_threads *all = cof->threads;
	struct cof_stack **at, *s;

	pthread_mutex_lock(&all->lock);
	for (at = &all->stacks; *at && (*at)->lo != (uintptr_t)lo;
	     at = &(*at)->next)
		;
	s = *at;
	if (s)
		*at = s->next;
	pthread_mutex_unlock(&all->lock);
	cof_mem_free(s);
}

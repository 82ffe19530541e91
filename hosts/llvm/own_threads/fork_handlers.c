/*
 * fork_handlers.c - see fork_handlers.h
 */
#include "own_threads/fork_handlers.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#define MAX 16u

static struct handlers {
	void (*prepare)(void);
	void (*parent)(void);
	void (*child)(void);
} handlers[MAX];

static atomic_uint n;
static _Thread_local unsigned prepared;	/* how many of them */

int fork_handlers_add(void (*prepare)(void), void (*parent)(void),
		      void (*child)(void))
{
	unsigned at = atomic_load(&n);

	if (at == MAX)
		return ENOMEM;
	handlers[at] = (struct handlers){ prepare, parent, child };
	atomic_store(&n, at + 1);
	return 0;
}

void fork_handlers_prepare(void)
{
	prepared = atomic_load(&n);
	for (unsigned i = prepared; i-- > 0;)
		if (handlers[i].prepare != NULL)
			handlers[i].prepare();
}

void fork_handlers_parent(void)
{
	for (unsigned i = 0; i < prepared; i++)
		if (handlers[i].parent != NULL)
			handlers[i].parent();
}

void fork_handlers_child(void)
{
	for (unsigned i = 0; i < prepared; i++)
		if (handlers[i].child != NULL)
			handlers[i].child();
}

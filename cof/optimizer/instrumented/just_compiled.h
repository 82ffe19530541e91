/*
 * just_compiled.h - lock-free list of methods that the host has just compiled
 *
 * Many producers: guest threads that return from the host's compiler. One
 * consumer: P/O, which takes the whole list. A method is in it at most once, so
 * the link in the method suffices.
 *
 *	producer                        P/O
 *	set .is_in                      exchange head with NULL  (B)
 *	link it to the head             read the link
 *	compare-and-swap head  (A)      clear .is_in             (C)
 *
 * A is a release and B an acquire: P/O sees the first version of each method.
 * P/O takes the whole list at once, so a head seen twice is the same list (no
 * ABA). C is a release: who sets the flag again writes the link after P/O has
 * read it.
 */
#pragma once

#include <stdatomic.h>
#include "code/version.h"

struct cof_just_compiled {
	_Atomic(struct cof_method *) head;	/* newest first */
};

/* Any thread; never blocks. A method that is in the list stays in it once. */
static inline void cof_just_compiled_put(struct cof_just_compiled *queue,
					 struct cof_method *method)
{
	struct cof_method *head = atomic_load_explicit(&queue->head,
						       memory_order_relaxed);

	if (atomic_exchange_explicit(&method->just_compiled.is_in, true,
				     memory_order_acquire))
		return;
	do {
		method->just_compiled.next = head;
	} while (!atomic_compare_exchange_weak_explicit(&queue->head, &head,
							method,
							memory_order_release,
							memory_order_relaxed));
								/* A */
}

/* P/O: all methods, oldest first, for cof_just_compiled_next(). NULL: none. */
static inline struct cof_method *
cof_just_compiled_take(struct cof_just_compiled *queue)
{
	struct cof_method *m, *next, *oldest = NULL;

	m = atomic_exchange_explicit(&queue->head, NULL,
				     memory_order_acquire);	/* B */
	for (; m; m = next) {
		next = m->just_compiled.next;
		m->just_compiled.next = oldest;
		oldest = m;
	}
	return oldest;
}

/* P/O: the one after `method` of those taken. From then on `method` may be put
 * in again. */
static inline struct cof_method *
cof_just_compiled_next(struct cof_method *method)
{
	struct cof_method *next = method->just_compiled.next;

	atomic_store_explicit(&method->just_compiled.is_in, false,
			      memory_order_release);	/* C */
	return next;
}

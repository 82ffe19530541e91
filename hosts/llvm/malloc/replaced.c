/*
 * replaced.c - the table of functions, and when it holds; see replaced.h
 */
#include "malloc/replaced.h"

#include <stddef.h>

const char *const replaced_name[N_REPLACED] = {
#define X(what, name) name,
	REPLACED_ALLOCATOR(X) REPLACED_OPERATORS(X)
#undef X
};

uintptr_t replaced_by[N_REPLACED];
bool replaced_operators;
_Thread_local bool replaced_on_this_thread;
_Atomic bool replaced_special;

void replaced_begin(void)
{
	atomic_store_explicit(&replaced_special, true, memory_order_relaxed);
}

void replaced_bound(uintptr_t (*find)(void *ctx, const char *name), void *ctx)
{
	for (int i = 0; i < N_REPLACED; i++) {
		replaced_by[i] = find(ctx, replaced_name[i]);
		replaced_operators |= i >= REPLACED_NEW && replaced_by[i] != 0;
	}
	replaced_on_this_thread = true;
	atomic_store_explicit(&replaced_special,
			      replaced_by[REPLACED_MALLOC] != 0,
			      memory_order_relaxed);
}

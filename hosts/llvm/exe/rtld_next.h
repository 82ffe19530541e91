/*
 * rtld_next.h - a library's function, where cof-llvm defines one of that name
 *
 * It is looked up once, since the dynamic linker's lock may be held by a thread
 * that waits for this one: in the constructor of a library, which started this
 * thread.
 */
#pragma once

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

/* `known` is a static variable of the caller's, NULL at first. Thread: any. */
static inline void *next_of(void *_Atomic *known, const char *name)
{
	void *f = atomic_load_explicit(known, memory_order_relaxed);

	if (f == NULL) {
		f = dlsym(RTLD_NEXT, name);
		atomic_store_explicit(known, f, memory_order_relaxed);
	}
	return f;
}

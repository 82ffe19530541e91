/*
 * libc_heap.c - the function that has no other name; see libc_heap.h
 */
#include "malloc/libc_heap.h"

#include <dlfcn.h>

_Thread_local atomic_bool libc_heap_busy;

size_t libc_heap_usable(void *p)
{
	typedef size_t usable_fn(void *);
	static usable_fn *_Atomic known;
	usable_fn *usable = known;

	if (usable == NULL) {
		void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

		usable = (usable_fn *)dlsym(libc, "malloc_usable_size");
		known = usable;
	}
	return usable(p);
}

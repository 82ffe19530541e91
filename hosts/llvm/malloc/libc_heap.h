/*
 * libc_heap.h - libc's allocator, by the names that stay if malloc() is
 * redefined
 *
 * libc_heap_busy is set while the thread is inside. A signal handler that
 * interrupts it there must not wait for libc's locks (fork_in_handler.h). The
 * handler may call these functions too: each call restores the word.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *p, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void  __libc_free(void *p);
extern int   __libc_mallopt(int option, int value);

/* Relaxed: only the thread and its signal handlers use it. */
extern _Thread_local atomic_bool libc_heap_busy;

static inline bool libc_heap_enter(void)
{
	bool was = atomic_load_explicit(&libc_heap_busy, memory_order_relaxed);

	atomic_store_explicit(&libc_heap_busy, true, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	return was;
}

static inline void libc_heap_leave(bool was)
{
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&libc_heap_busy, was, memory_order_relaxed);
}

static inline void *libc_heap_malloc(size_t bytes)
{
	bool was = libc_heap_enter();
	void *p = __libc_malloc(bytes);

	libc_heap_leave(was);
	return p;
}

static inline void *libc_heap_calloc(size_t n, size_t bytes)
{
	bool was = libc_heap_enter();
	void *p = __libc_calloc(n, bytes);

	libc_heap_leave(was);
	return p;
}

static inline void *libc_heap_realloc(void *p, size_t bytes)
{
	bool was = libc_heap_enter();
	void *to = __libc_realloc(p, bytes);

	libc_heap_leave(was);
	return to;
}

static inline void *libc_heap_memalign(size_t alignment, size_t bytes)
{
	bool was = libc_heap_enter();
	void *p = __libc_memalign(alignment, bytes);

	libc_heap_leave(was);
	return p;
}

static inline void libc_heap_free(void *p)
{
	bool was = libc_heap_enter();

	__libc_free(p);
	libc_heap_leave(was);
}

/* malloc_usable_size(3), which libc has under this name only; p is not NULL. */
size_t libc_heap_usable(void *p);

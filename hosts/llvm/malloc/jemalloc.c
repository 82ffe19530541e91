/*
 * jemalloc.c - jemalloc in a process whose program forks
 *
 * jemalloc serves only the compiler, from an arena that libcof makes, so it
 * needs no arena for each processor. Its fork hooks, which it registers when it
 * begins, and what it does at the end of a thread go through
 * cof/memory/arena_fork.h.
 *
 * The calls that register them are recognized by the library that they come
 * from. In libraries pthread_atfork(3) is a call of __register_atfork().
 *
 * cof-llvm is linked with the library, and has no copy of it. Programs such as
 * redis need the library too. Its thread-local variables are in each thread's
 * static block, where a library that is loaded later finds no room.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#include <jemalloc/jemalloc.h>

#include "exe/rtld_next.h"
#include "malloc/fork_in_handler.h"
#include "memory/arena_fork.h"

#define API __attribute__((visibility("default")))

API const char *malloc_conf = "narenas:1";

static bool is_jemallocs(void *at)
{
	struct dl_find_object found, its;

	return at != NULL && _dl_find_object(at, &found) == 0 &&
	       _dl_find_object((void *)mallocx, &its) == 0 &&
	       its.dlfo_link_map == found.dlfo_link_map;
}

/* Whichever call it is, jemalloc makes its record of the thread. */
static void meet(void)
{
	unsigned arena;
	size_t len = sizeof(arena);

	mallctl("thread.arena", &arena, &len, NULL, 0);
}

int __register_atfork(void (*prepare)(void), void (*parent)(void),
		      void (*child)(void), void *dso);

API int __register_atfork(void (*prepare)(void), void (*parent)(void),
			  void (*child)(void), void *dso)
{
	typedef int register_fn(void (*)(void), void (*)(void), void (*)(void),
				void *);
	static void *_Atomic known;
	int err;

	if (prepare != NULL && parent != NULL && child != NULL &&
	    is_jemallocs(dso))
		return cof_arena_fork_atfork(prepare, parent, child, meet);
	err = ((register_fn *)next_of(&known, "__register_atfork"))(
		prepare, parent, child, dso);
	if (err == 0)
		fork_in_handler_note(prepare, parent, child, dso);
	return err;
}

static void (*thread_ends)(void *);

static void end_thread(void *arg)
{
	cof_arena_fork_enter();
	thread_ends(arg);
	cof_arena_fork_leave();
}

API int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
	typedef int create_fn(pthread_key_t *, void (*)(void *));
	static void *_Atomic known;

	if (is_jemallocs((void *)destroy)) {
		thread_ends = destroy;
		destroy = end_thread;
	}
	return ((create_fn *)next_of(&known, "pthread_key_create"))(
		key, destroy);
}

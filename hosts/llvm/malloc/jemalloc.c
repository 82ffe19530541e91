/*
 * jemalloc.c - jemalloc in a process whose program forks
 *
 * It is there for the compiler alone, in an arena that libcof makes. So it needs none
 * for each processor; and its hooks around a fork, which it registers as it is loaded,
 * go through the heap's gate (cof/memory/arena_fork.h), as does what it does where a thread
 * ends. Both are known by the library they are in.
 *
 * pthread_atfork(3) is a call of __register_atfork() in each library.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#include <jemalloc/jemalloc.h>

#include "malloc/fork_in_handler.h"
#include "memory/arena_fork.h"
#include "exe/rtld_next.h"

#define API __attribute__((visibility("default")))

API const char *malloc_conf = "narenas:1";

static bool is_jemallocs(void *at)
{
	struct dl_find_object found, its;

	return at != NULL && _dl_find_object(at, &found) == 0 &&
	       _dl_find_object((void *)mallocx, &its) == 0 &&
	       its.dlfo_link_map == found.dlfo_link_map;
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
		return cof_arena_fork_atfork(prepare, parent, child);
	err = ((register_fn *)next_of(&known, "__register_atfork"))(
		prepare, parent, child, dso);
	if (err == 0)
		fork_in_handler_note(prepare, parent, child, dso);
	return err;
}

static void (*thread_ends)(void *);

static void ends_gated(void *arg)
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
		destroy = ends_gated;
	}
	return ((create_fn *)next_of(&known, "pthread_key_create"))(key, destroy);
}

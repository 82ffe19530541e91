/*
 * fork_in_handler.c - note the hooks, and run them; see fork_in_handler.h
 */
#include "malloc/fork_in_handler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "malloc/libc_heap.h"

#define API __attribute__((visibility("default")))

#define MOST 128u	/* with more hooks, fork() is always libc's */

struct hooks {
	void (*prepare)(void), (*parent)(void), (*child)(void);
	void  *dso;
};

/* Written under the lock, which fork() does not take. Entries below n_noted are
 * constant: it is stored with release and loaded with acquire. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hooks    noted[MOST];
static _Atomic size_t  n_noted;

void fork_in_handler_note(void (*prepare)(void), void (*parent)(void),
			  void (*child)(void), void *dso)
{
	size_t n;

	pthread_mutex_lock(&lock);
	n = atomic_load_explicit(&n_noted, memory_order_relaxed);
	if (n < MOST)
		noted[n] = (struct hooks){ prepare, parent, child, dso };
	if (n <= MOST)
		atomic_store_explicit(&n_noted, n + 1, memory_order_release);
	pthread_mutex_unlock(&lock);
}

/* libc forgets the hooks of a library that is closed. */
static bool is_there(const struct hooks *h)
{
	struct dl_find_object found;

	return h->dso == NULL || _dl_find_object(h->dso, &found) == 0;
}

static pid_t fork_alone(size_t n)
{
	pid_t pid;

	for (size_t i = n; i-- > 0;)
		if (noted[i].prepare != NULL && is_there(&noted[i]))
			noted[i].prepare();
	pid = _Fork();
	for (size_t i = 0; i < n; i++) {
		void (*after)(void) = pid == 0 ? noted[i].child :
						 noted[i].parent;

		if (after != NULL && is_there(&noted[i]))
			after();
	}
	return pid;
}

pid_t __fork(void);	/* libc's other name for it */

API pid_t fork(void)
{
	size_t n = atomic_load_explicit(&n_noted, memory_order_acquire);

	return n <= MOST && atomic_load_explicit(&libc_heap_busy,
						 memory_order_relaxed) ?
	       fork_alone(n) : __fork();
}

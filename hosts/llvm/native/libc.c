/*
 * libc.c - see libc.h
 */
#include "native/libc.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "native/heap.h"

#define EXPORT __attribute__((visibility("default")))

static const struct cofl_services *libc;

EXPORT int cofl_libc_init(const struct cofl_services *services)
{
	libc = services;
	/* First, so that its prepare() is the last: the others allocate. */
	return libc->at_fork(cofl_heap_fork_prepare, cofl_heap_fork_done,
			     cofl_heap_fork_done);
}

EXPORT void cofl_libc_thread_begins(void)
{
	uselocale(LC_GLOBAL_LOCALE);
}

struct start {
	void *(*run)(void *);
	void  *arg;
};

static void *begin(void *p)
{
	struct start start = *(struct start *)p;

	free(p);
	cofl_libc_thread_begins();
	return start.run(start.arg);
}

EXPORT int pthread_create(pthread_t *restrict thread,
			  const pthread_attr_t *restrict attr,
			  void *(*run)(void *), void *restrict arg)
{
	bool *creates = libc->creates_thread();
	struct start *start = malloc(sizeof(*start));
	int err;

	if (start == NULL)
		return EAGAIN;
	*start = (struct start){ run, arg };
	*creates = true;
	err = libc->thread_create(thread, attr, begin, start);
	*creates = false;
	if (err != 0)
		free(start);
	return err;
}

EXPORT int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
	return libc->key_create(key, destroy);
}

EXPORT int pthread_key_delete(pthread_key_t key)
{
	return libc->key_delete(key);
}

EXPORT int pthread_setspecific(pthread_key_t key, const void *value)
{
	/* libc only keeps it. Its header says so, and the compiler asks why it
	 * is read here. */
	uintptr_t word;

	__asm__("" : "=r"(word) : "0"(value));

	return libc->set_specific(key, (const void *)word);
}

EXPORT void *pthread_getspecific(pthread_key_t key)
{
	return libc->get_specific(key);
}

EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
	return libc->get_attr(thread, attr);
}

/* What getattr made is the other libc's to free. */
EXPORT int pthread_attr_destroy(pthread_attr_t *attr)
{
	return libc->destroy_attr(attr);
}

EXPORT int pthread_atfork(void (*prepare)(void), void (*parent)(void),
			  void (*child)(void))
{
	return libc->at_fork(prepare, parent, child);
}

/*
 * exit(3) of the program runs the destructors of all namespaces. Libcof's
 * threads may still build then, and the program's own destructors come after
 * these. So no object of this namespace is destroyed before the process ends.
 */
int __cxa_atexit(void (*destroy)(void *), void *arg, void *library);

EXPORT int __cxa_atexit(void (*destroy)(void *), void *arg, void *library)
{
	(void)destroy;
	(void)arg;
	(void)library;
	return 0;
}

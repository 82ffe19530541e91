/*
 * libc.c - see libc.h
 */
#include "native/libc.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <locale.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "native/namespace_malloc.h"
#include "native/stack.h"

#define EXPORT __attribute__((visibility("default")))

static const struct cofl_services *libc;

/* This namespace's. */
static struct {
	__typeof__(pthread_create)  *pthread_create;
	__typeof__(dlopen)          *dlopen;
	__typeof__(dlclose)         *dlclose;
	__typeof__(dlsym)           *dlsym;
	__typeof__(dladdr)          *dladdr;
	__typeof__(dl_iterate_phdr) *dl_iterate_phdr;
} next;

/* By version, since dlsym() is the one below: that of glibc 2.34, which took
 * libdl in, or the first one. */
static void *next_of(const char *name)
{
	void *address = dlvsym(RTLD_NEXT, name, "GLIBC_2.34");

	return address != NULL ? address :
				 dlvsym(RTLD_NEXT, name, "GLIBC_2.2.5");
}

EXPORT int cofl_libc_init(const struct cofl_services *services)
{
	libc = services;
	environ = services->environment;
#define NEXT(name) (next.name = (__typeof__(next.name)) \
		    (uintptr_t)next_of(#name))
	NEXT(pthread_create), NEXT(dlopen), NEXT(dlclose), NEXT(dlsym);
	NEXT(dladdr), NEXT(dl_iterate_phdr);
#undef NEXT
	/* First, so that its prepare() is the last: the others allocate. */
	return libc->at_fork(cofl_namespace_malloc_fork_prepare,
			     cofl_namespace_malloc_fork_done,
			     cofl_namespace_malloc_fork_done);
}

EXPORT void cofl_libc_thread_begins(void)
{
	uselocale(LC_GLOBAL_LOCALE);
}

/* -- Threads --------------------------------------------------------------- */

struct start {
	void *(*run)(void *);
	void  *arg;
};

static void *begin(void *p)
{
	struct start start = *(struct start *)p;
	void *result = NULL;
	bool begins = libc->own_thread_begins();

	libc->own_thread_made();
	free(p);
	if (begins) {
		result = start.run(start.arg);
		libc->own_thread_ends();
	}
	return result;
}

/* The stack that the maker chose (process/stage_stack.h), or one of ours. Those
 * of libc's will not do: it keeps those of threads that ended, for all
 * namespaces, and frees what belonged to them by its own free(3). */
static int with_stack(pthread_attr_t *own, const pthread_attr_t *attr,
		      struct cofl_stack *taken)
{
	void *at = NULL;
	size_t bytes = 0;
	int err;

	/* The lowest address; if none was set, the top is 0. */
	if (attr != NULL && pthread_attr_getstack(attr, &at, &bytes) == 0 &&
	    (uintptr_t)at + bytes != 0)
		return pthread_attr_setstack(own, at, bytes);
	err = pthread_attr_getstacksize(own, &bytes);
	if (err == 0)
		err = cofl_stack_take(taken, bytes);
	return err != 0 ? err : pthread_attr_setstack(own, taken->from,
						      taken->bytes);
}

static int create(pthread_t *thread, const pthread_attr_t *attr,
		  struct start *start)
{
	struct cofl_stack taken = { NULL, 0 };
	pthread_attr_t own;
	int detach = PTHREAD_CREATE_JOINABLE, err = pthread_attr_init(&own);

	if (err != 0)
		return err;
	if (attr != NULL)
		pthread_attr_getdetachstate(attr, &detach);
	pthread_attr_setdetachstate(&own, detach);
	err = with_stack(&own, attr, &taken);
	if (err == 0) {
		libc->own_thread_making();
		libc->enter();
		err = next.pthread_create(thread, &own, begin, start);
		libc->leave();
		if (err != 0)
			libc->own_thread_made();
	}
	if (err != 0 && taken.from != NULL)
		cofl_stack_give(&taken);
	pthread_attr_destroy(&own);
	return err;
}

/* A thread that another is to make. */
struct request {
	pthread_t            *thread;
	const pthread_attr_t *attr;
	struct start         *start;	/* NULL: nobody asks any more */
	int                   err;
	bool                  done;
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t  changed;
	struct request *asked;		/* [lock] */
} maker = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };

static _Thread_local bool asks __attribute__((tls_model("initial-exec")));

static int ask(struct request *r)
{
	pthread_mutex_lock(&maker.lock);
	maker.asked = r;
	pthread_cond_broadcast(&maker.changed);
	while (!r->done)
		pthread_cond_wait(&maker.changed, &maker.lock);
	pthread_mutex_unlock(&maker.lock);
	return r->err;
}

/* False: nobody asks any more. */
static bool answer(void)
{
	struct request *r;
	bool more;

	pthread_mutex_lock(&maker.lock);
	while (maker.asked == NULL)
		pthread_cond_wait(&maker.changed, &maker.lock);
	r = maker.asked;
	maker.asked = NULL;
	more = r->start != NULL;
	if (more)
		r->err = create(r->thread, r->attr, r->start);
	r->done = true;
	pthread_cond_broadcast(&maker.changed);
	pthread_mutex_unlock(&maker.lock);
	return more;
}

EXPORT int pthread_create(pthread_t *restrict thread,
			  const pthread_attr_t *restrict attr,
			  void *(*run)(void *), void *restrict arg)
{
	struct start *start = malloc(sizeof(*start));
	int err;

	if (start == NULL)
		return EAGAIN;
	*start = (struct start){ run, arg };
	err = asks ? ask(&(struct request){ thread, attr, start, 0, false }) :
		     create(thread, attr, start);
	if (err != 0)
		free(start);
	return err;
}

static struct {
	void (*before)(void);
	void (*run)(void);
} first;

static void *run_first(void *unused)
{
	struct request last = { 0 };

	asks = true;
	first.run();
	ask(&last);
	return unused;
}

static void *make_others(void *unused)
{
	pthread_t thread;

	first.before();
	if (pthread_create(&thread, NULL, run_first, NULL) != 0) {
		first.run();	/* the others will have its files */
		return unused;
	}
	pthread_detach(thread);
	while (answer())
		;
	return unused;
}

EXPORT int cofl_libc_first_thread(void (*before)(void), void (*run)(void))
{
	pthread_t thread;
	int err;

	first.before = before;
	first.run = run;
	err = pthread_create(&thread, NULL, make_others, NULL);
	return err != 0 ? err : pthread_detach(thread);
}

/* -- Libraries ------------------------------------------------------------- */

extern void *__tls_get_addr(size_t index[2]);

#define MODULES_MAX 64u

struct modules {
	size_t n, id[MODULES_MAX];
};

static int note(struct dl_phdr_info *info, size_t bytes, void *p)
{
	struct modules *m = p;

	(void)bytes;
	if (info->dlpi_tls_modid != 0 && m->n < MODULES_MAX)
		m->id[m->n++] = info->dlpi_tls_modid;
	return 0;
}

/* Not inside dl_iterate_phdr(3): dlopen(3) takes these locks the other way
 * round. */
static void touch_tls(void)
{
	struct modules m = { 0 };

	next.dl_iterate_phdr(note, &m);
	for (size_t i = 0; i < m.n; i++)
		__tls_get_addr((size_t[]){ m.id[i], 0 });
}

EXPORT void cofl_libc_touch_tls(void)
{
	libc->enter();
	touch_tls();
	libc->leave();
}

EXPORT void *cofl_libc_find(const char *name, const char *version)
{
	void *address;

	libc->enter();
	address = version != NULL ? dlvsym(libc->scope, name, version) :
				    next.dlsym(libc->scope, name);
	libc->leave();
	return address;
}

EXPORT void *dlopen(const char *path, int flags)
{
	void *handle;

	libc->enter();
	handle = next.dlopen(path, flags);
	/* The library's caller searches its own namespace. */
	__asm__ volatile("" : "+r"(handle));
	if (handle != NULL)
		touch_tls();
	libc->leave();
	return handle;
}

EXPORT int dlclose(void *handle)
{
	int err;

	libc->enter();
	err = next.dlclose(handle);
	libc->leave();
	return err;
}

/* Not with RTLD_NEXT: this library would be the caller. */
EXPORT void *dlsym(void *restrict handle, const char *restrict name)
{
	void *address;

	libc->enter();
	address = next.dlsym(handle, name);
	libc->leave();
	return address;
}

EXPORT int dladdr(const void *address, Dl_info *info)
{
	int found;

	libc->enter();
	found = next.dladdr(address, info);
	libc->leave();
	return found;
}

EXPORT int dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t, void *),
			   void *arg)
{
	int result;

	libc->enter();
	result = next.dl_iterate_phdr(f, arg);
	libc->leave();
	return result;
}

/* -- Keys and forks: the program's ----------------------------------------- */

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

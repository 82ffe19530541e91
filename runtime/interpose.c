/*
 * interpose.c - pthread_create(3) with an attach in front, and __cxa_atexit()
 *
 * A thread detaches by libcof's own key destructor, after the program's: its
 * thread_local destructors are guest code.
 */
#include "interpose.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cofl.h"

static struct cofl *_Atomic program;	/* NULL: threads are libcof's own */

struct start {
	void *(*run)(void *);
	void  *arg;
};

static void *run_attached(void *p)
{
	struct start start = *(struct start *)p;

	free(p);
	cofl_thread_enter(atomic_load_explicit(&program, memory_order_acquire));
	return start.run(start.arg);
}

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		      void *);

__attribute__((visibility("default")))
int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		   void *(*run)(void *), void *arg)
{
	static create_fn *_Atomic libc;
	create_fn *create = atomic_load_explicit(&libc, memory_order_relaxed);
	struct start *start;
	int err;

	if (create == NULL) {
		create = (create_fn *)dlsym(RTLD_NEXT, "pthread_create");
		atomic_store_explicit(&libc, create, memory_order_relaxed);
	}
	if (atomic_load_explicit(&program, memory_order_acquire) == NULL)
		return create(thread, attr, run, arg);
	start = malloc(sizeof(*start));
	if (start == NULL)
		return EAGAIN;
	*start = (struct start){ run, arg };
	err = create(thread, attr, run_attached, start);
	if (err != 0)
		free(start);
	return err;
}

/*
 * LLVM's static objects register their destructors when first used, so after
 * the program's exit handlers that still need the compiler, and exit(3) runs
 * the latest first. The process is about to end: they are not destroyed at all.
 */
static bool is_llvms(void *dso)
{
	static void *_Atomic known;
	Dl_info info;

	if (dso == NULL)
		return false;
	if (dso == atomic_load_explicit(&known, memory_order_relaxed))
		return true;
	if (dladdr(dso, &info) == 0 || info.dli_fname == NULL ||
	    strstr(info.dli_fname, "/libLLVM") == NULL)
		return false;
	atomic_store_explicit(&known, dso, memory_order_relaxed);
	return true;
}

int __cxa_atexit(void (*f)(void *), void *arg, void *dso);

__attribute__((visibility("default")))
int __cxa_atexit(void (*f)(void *), void *arg, void *dso)
{
	typedef int register_fn(void (*)(void *), void *, void *);
	static register_fn *_Atomic libc;
	register_fn *reg = atomic_load_explicit(&libc, memory_order_relaxed);

	if (is_llvms(dso))
		return 0;
	if (reg == NULL) {
		reg = (register_fn *)dlsym(RTLD_NEXT, "__cxa_atexit");
		atomic_store_explicit(&libc, reg, memory_order_relaxed);
	}
	return reg(f, arg, dso);
}

void interpose_threads(struct cofl *host)
{
	atomic_store_explicit(&program, host, memory_order_release);
}

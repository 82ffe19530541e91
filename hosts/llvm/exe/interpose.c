/*
 * interpose.c - threads, and the end of the process; see interpose.h
 *
 * A thread detaches in libcof's own key destructor, after the program's: its
 * thread_local destructors are guest code.
 *
 * A process ends with status 0 when its last thread does (pthread_exit(3)).
 * libcof's threads do not end by themselves. So the program's threads are
 * counted here, and the last one ends the process.
 */
#include "exe/interpose.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "cof.h"
#include "dynlib/link_names.h"
#include "exe/given_stack.h"
#include "exe/rtld_next.h"
#include "exe/signal_stack.h"
#include "exe/stack.h"
#include "exe/syscall.h"
#include "malloc/allocator.h"
#include "memory/arena.h"
#include "memory/arena_fork.h"
#include "program/program.h"
#include "support/single_threaded.h"

static struct cofl *_Atomic program;	/* NULL: it has no thread yet */

struct start {
	void       *(*run)(void *);
	thrd_start_t run_c11;	/* if not NULL, in place of run */
	void        *arg;
	struct given_stack *stack;	/* NULL: libc's */
};

static COF_FORK_DATA _Atomic unsigned n_threads;	/* of the program */
static pthread_key_t    leaving;

/* Destructors of keys run in rounds. This one waits for the last round, since
 * those of the program's keys are guest code. */
static void on_leave(void *rounds_left)
{
	uintptr_t rounds = (uintptr_t)rounds_left;

	if (rounds > 1 &&
	    pthread_setspecific(leaving, (void *)(rounds - 1)) == 0)
		return;
	signal_stack_end();
	given_stack_end();
	allocator_thread_end();
	syscall_thread_ends();
	if (atomic_fetch_sub_explicit(&n_threads, 1,
				      memory_order_acq_rel) == 1)
		exit(0);
}

static void note_thread(void)
{
	pthread_setspecific(leaving,
			    (void *)(uintptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
}

/* The child of a fork has one thread. */
COF_FORK_CODE static void on_fork_child(void)
{
	given_stack_forked();
	if (atomic_load_explicit(&n_threads, memory_order_relaxed) != 1)
		atomic_store_explicit(&n_threads, 1, memory_order_relaxed);
}

static void *run_attached(void *p)
{
	struct start start = *(struct start *)p;

	allocator_thread_begin();
	free(p);
	note_thread();
	if (start.stack != NULL)
		given_stack_begin(start.stack);
	cofl_thread_enter(atomic_load_explicit(&program, memory_order_acquire));
	signal_stack_begin();
	if (start.stack != NULL)
		return given_stack_run(start.run, start.arg);
	if (start.run_c11 != NULL)
		return (void *)(intptr_t)start.run_c11(start.arg);
	return start.run(start.arg);
}

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		      void *);

static create_fn *libcs(void)
{
	static void *_Atomic known;

	return (create_fn *)next_of(&known, "pthread_create");
}

/* A thread of the program. */
static int create_attached(pthread_t *thread, const pthread_attr_t *attr,
			   const struct start *how)
{
	create_fn *create = libcs();
	struct start *start = malloc(sizeof(*start));
	struct given_stack *stack;
	pthread_attr_t grown;
	int err;

	if (start == NULL)
		return EAGAIN;
	*start = *how;
	single_threaded_end();
	cof_arena_fork_pay();
	atomic_fetch_add_explicit(&n_threads, 1, memory_order_relaxed);
	stack = given_stack_of(attr, &grown);
	start->stack = stack;
	err = create(thread, stack ? &grown : stack_grown(attr, &grown),
		     run_attached, start);
	if (err != 0) {
		atomic_fetch_sub_explicit(&n_threads, 1, memory_order_relaxed);
		free(start);
	}
	if (stack != NULL)
		given_stack_created(stack, &grown, err == 0 ? thread : NULL);
	return err;
}

__attribute__((visibility("default")))
int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		   void *(*run)(void *), void *arg)
{
	if (cof_creates_thread()) {
		cof_arena_fork_pay();
		return libcs()(thread, attr, run, arg);
	}
	if (atomic_load_explicit(&program, memory_order_acquire) == NULL) {
		single_threaded_end();	/* a library's, before the program */
		return libcs()(thread, attr, run, arg);
	}
	return create_attached(thread, attr,
			       &(struct start){ .run = run, .arg = arg });
}

/* libc's thrd_create() does not call pthread_create() by its name. libcof does
 * not call it. */
__attribute__((visibility("default")))
int thrd_create(thrd_t *thread, thrd_start_t run, void *arg)
{
	typedef int create_c11_fn(thrd_t *, thrd_start_t, void *);
	static void *_Atomic known;

	if (atomic_load_explicit(&program, memory_order_acquire) == NULL) {
		single_threaded_end();	/* as in pthread_create() */
		return ((create_c11_fn *)next_of(&known, "thrd_create"))(
			thread, run, arg);
	}
	switch (create_attached(thread, NULL, &(struct start){
					.run_c11 = run, .arg = arg })) {
	case 0:
		return thrd_success;
	case ENOMEM:
		return thrd_nomem;
	default:
		return thrd_error;
	}
}

/*
 * libc may start a thread for these calls, unseen by pthread_create(). A
 * program that names them is a hazard already (dynlib/symbol_overrides.h); this
 * is for libraries that call them.
 */
static void note_hidden(const struct sigevent *event, const char *name)
{
	struct cofl *host = atomic_load_explicit(&program,
						 memory_order_acquire);

	if (event == NULL || event->sigev_notify != SIGEV_THREAD)
		return;
	single_threaded_end();
	cof_arena_fork_pay();
	if (host != NULL)
		cofl_link_names_hazard(host, name);
}

__attribute__((visibility("default")))
int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
	typedef int create_timer_fn(clockid_t, struct sigevent *, timer_t *);

	static void *_Atomic known;

	note_hidden(event, "timer_create");
	return ((create_timer_fn *)next_of(&known, "timer_create"))(
		clock, event, timer);
}

__attribute__((visibility("default")))
int mq_notify(mqd_t queue, const struct sigevent *event)
{
	typedef int notify_fn(mqd_t, const struct sigevent *);

	static void *_Atomic known;

	note_hidden(event, "mq_notify");
	return ((notify_fn *)next_of(&known, "mq_notify"))(queue, event);
}

/*
 * LLVM's static objects register their destructors when first used: after the
 * program's exit handlers, which may need the compiler. exit(3) would run them
 * first. So these objects are not destroyed; the process is about to end. If
 * there is an arena, this holds only for threads in the compiler: objects of
 * LLVM that the program itself makes, such as a stream with output in it, are
 * destroyed.
 */
static bool is_llvms(void *dso)
{
	static void *_Atomic known;
	struct dl_find_object found;

	if (dso == NULL)
		return false;
	if (dso == atomic_load_explicit(&known, memory_order_relaxed))
		return true;
	/* Not dladdr(3): it reads all of LLVM's 3 MB of symbols. */
	if (_dl_find_object(dso, &found) != 0 ||
	    strstr(found.dlfo_link_map->l_name, "/libLLVM") == NULL)
		return false;
	atomic_store_explicit(&known, dso, memory_order_relaxed);
	return true;
}

int __cxa_atexit(void (*f)(void *), void *arg, void *dso);

__attribute__((visibility("default")))
int __cxa_atexit(void (*f)(void *), void *arg, void *dso)
{
	typedef int register_fn(void (*)(void *), void *, void *);
	static void *_Atomic known;

	if ((cof_mem_compiling || cof_arena_bytes == 0) && is_llvms(dso))
		return 0;
	return ((register_fn *)next_of(&known, "__cxa_atexit"))(f, arg, dso);
}

bool interpose_threads(struct cofl *host)
{
	if (pthread_key_create(&leaving, on_leave) != 0 ||
	    pthread_atfork(NULL, NULL, on_fork_child) != 0)
		return false;
	atomic_store_explicit(&n_threads, 1, memory_order_relaxed);
	note_thread();
	signal_stack_init(cof_sampling_signal(cofl_program_cof(host)));
	signal_stack_begin();
	atomic_store_explicit(&program, host, memory_order_release);
	return true;
}

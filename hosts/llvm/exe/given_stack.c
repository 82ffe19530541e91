/*
 * given_stack.c - see given_stack.h
 *
 * The creator lists the stack, since it knows the thread's name when
 * pthread_create(3) returns. The thread may have ended by then.
 */
#include "exe/given_stack.h"

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "base/onstack.h"
#include "exe/rtld_next.h"
#include "exe/stack.h"

struct given_stack {
	char               *lo;
	size_t              bytes;
	pthread_t           thread;	/* lock; once it is listed */
	bool                listed;	/* lock */
	bool                left;	/* lock: the thread is done with it */
	struct given_stack *next;	/* lock */
};

static pthread_mutex_t     lock = PTHREAD_MUTEX_INITIALIZER;
static COF_FORK_DATA struct given_stack *list;	/* lock */

static _Thread_local struct given_stack *mine;	/* or NULL */

/* -- Attributes ------------------------------------------------------------ */

static void copy_scheduling(const pthread_attr_t *from, pthread_attr_t *to)
{
	struct sched_param param;
	int how;

	if (pthread_attr_getinheritsched(from, &how) != 0 ||
	    how != PTHREAD_EXPLICIT_SCHED)
		return;
	pthread_attr_setinheritsched(to, how);
	if (pthread_attr_getschedpolicy(from, &how) == 0)
		pthread_attr_setschedpolicy(to, how);
	if (pthread_attr_getschedparam(from, &param) == 0)
		pthread_attr_setschedparam(to, &param);
}

/* Attributes without a set of processors, or of signals, say so: all bits of
 * the one are set, and the other has a status of its own. */
static void copy_sets(const pthread_attr_t *from, pthread_attr_t *to)
{
	cpu_set_t cpus;
	sigset_t signals;

	if (pthread_attr_getaffinity_np(from, sizeof(cpus), &cpus) == 0 &&
	    CPU_COUNT(&cpus) != CPU_SETSIZE)
		pthread_attr_setaffinity_np(to, sizeof(cpus), &cpus);
	if (pthread_attr_getsigmask_np(from, &signals) == 0)
		pthread_attr_setsigmask_np(to, &signals);
}

/* Where the program gives no stack, glibc has one that ends at 0. */
static bool get_stack(const pthread_attr_t *attr, void **lo, size_t *bytes)
{
	return attr != NULL && pthread_attr_getstack(attr, lo, bytes) == 0 &&
	       (uintptr_t)*lo + *bytes != 0;
}

struct given_stack *given_stack_of(const pthread_attr_t *attr,
				   pthread_attr_t *instead)
{
	struct given_stack *stack;
	size_t bytes;
	void *lo;
	int how;

	if (!get_stack(attr, &lo, &bytes) || pthread_attr_init(instead) != 0)
		return NULL;
	stack = malloc(sizeof(*stack));
	if (stack == NULL || pthread_attr_setstacksize(
				     instead, bytes + stack_hosts_part()) != 0)
		goto failed;
	*stack = (struct given_stack){ .lo = lo, .bytes = bytes };
	if (pthread_attr_getdetachstate(attr, &how) == 0)
		pthread_attr_setdetachstate(instead, how);
	copy_scheduling(attr, instead);
	copy_sets(attr, instead);
	return stack;
failed:
	free(stack);
	pthread_attr_destroy(instead);
	return NULL;
}

/* -- The list -------------------------------------------------------------- */

void given_stack_created(struct given_stack *stack, pthread_attr_t *instead,
			 const pthread_t *thread)
{
	bool unused;

	pthread_attr_destroy(instead);
	pthread_mutex_lock(&lock);
	unused = thread == NULL || stack->left;
	if (!unused) {
		stack->thread = *thread;
		stack->listed = true;
		stack->next = list;
		list = stack;
	}
	pthread_mutex_unlock(&lock);
	if (unused)
		free(stack);
}

void given_stack_begin(struct given_stack *stack)
{
	mine = stack;
}

void given_stack_end(void)
{
	struct given_stack *stack = mine, **at;
	bool unlisted;

	if (stack == NULL)
		return;
	mine = NULL;
	pthread_mutex_lock(&lock);
	stack->left = true;
	unlisted = stack->listed;
	for (at = &list; unlisted && *at != stack; at = &(*at)->next)
		;
	if (unlisted)
		*at = stack->next;
	pthread_mutex_unlock(&lock);
	if (unlisted)
		free(stack);
}

COF_FORK_CODE void given_stack_forked(void)
{
	static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;

	/* Of the parent's threads only this one is there. */
	if (list != NULL) {
		lock = unlocked;
		list = NULL;
	}
	if (mine != NULL)
		mine->listed = false;
}

/* -- The thread ------------------------------------------------------------ */

struct job {
	void *(*run)(void *);
	void *arg, *result;
};

static void run_job(void *p)
{
	struct job *job = p;

	job->result = job->run(job->arg);
}

void *given_stack_run(void *(*run)(void *), void *arg)
{
	struct job job = { .run = run, .arg = arg };
	uintptr_t top = (uintptr_t)mine->lo + mine->bytes;

	cof_onstack((void *)(top & ~(uintptr_t)15), run_job, &job);
	return job.result;
}

/* -- The stand-in ---------------------------------------------------------- */

static bool find(pthread_t thread, void **lo, size_t *bytes)
{
	const struct given_stack *s = mine;
	bool found;

	if (!pthread_equal(thread, pthread_self())) {
		pthread_mutex_lock(&lock);
		for (s = list; s != NULL && !pthread_equal(s->thread, thread);
		     s = s->next)
			;
	}
	found = s != NULL;
	if (found) {
		*lo = s->lo;
		*bytes = s->bytes;
	}
	if (!pthread_equal(thread, pthread_self()))
		pthread_mutex_unlock(&lock);
	return found;
}

__attribute__((visibility("default")))
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
	typedef int getattr_fn(pthread_t, pthread_attr_t *);
	static void *_Atomic known;
	int err = ((getattr_fn *)next_of(&known, "pthread_getattr_np"))(
		thread, attr);
	size_t bytes;
	void *lo;

	if (err != 0 || !find(thread, &lo, &bytes))
		return err;
	pthread_attr_setguardsize(attr, 0);
	return pthread_attr_setstack(attr, lo, bytes);
}

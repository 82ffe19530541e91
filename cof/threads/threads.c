/*
 * threads.c - attach and detach of guest threads, and listed stacks
 *
 *	attach: make the record, set cof_thread_self, list, start the source
 *	detach: stop the source, clear cof_thread_self, mark `gone` or free
 *
 * cof_thread_self is set before the source can signal, and cleared when it no
 * longer can. A signal that is still pending then finds NULL and does nothing.
 *
 * An instance may be freed while threads are attached that never call it again.
 * Their records stay without an instance, as orphans. A thread frees its orphan
 * when it attaches to another instance, or ends.
 */
#include "threads/threads.h"

#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "base/clock.h"
#include "cof.h"
#include "instance.h"
#include "memory/mem.h"
#include "threads/pending.h"

#define QUIESCE_YIELDS 100u		/* a handler takes microseconds */
#define QUIESCE_NAP_NS 1000000u
#define QUIESCE_NS     2000000000u	/* but its thread may be preempted */

_Thread_local struct cof_thread *_Atomic cof_thread_self;

/*
 * Held where a thread that ends and cof_free() may meet: see exit_of_thread().
 * Taken before an instance's threads lock.
 */
static COF_FORK_DATA pthread_mutex_t exit_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t   exit_key;
static bool            exit_key_made;

static struct cof_thread *self_get(void)
{
	return atomic_load_explicit(&cof_thread_self, memory_order_relaxed);
}

/* Only this thread and its signal handler read cof_thread_self. */
static void self_set(struct cof_thread *t)
{
	atomic_store_explicit(&cof_thread_self, t, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
}

static void detach(struct cof *cof, struct cof_thread *t);

/*
 * After cof_quiesce() a thread does not detach: it would ask the kernel for its
 * CPU time, and the allocator might give a page of its record back.
 *
 * Destructors of keys run in rounds. Those of the host and of its program may
 * run code that is sampled and replaced, so the thread detaches only in the
 * last round but one. The last round is left to those that must come last of
 * all, such as ThreadSanitizer's. A thread that attaches again in one of the
 * rounds has as many left as the thread has.
 */
static void exit_of_thread(void *arg)
{
	/* Not of memory that the dynamic linker allocates when it is used. */
	static _Thread_local unsigned rounds
		__attribute__((tls_model("initial-exec")));
	struct cof_thread *t = arg;

	if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1 &&
	    pthread_setspecific(exit_key, t) == 0)
		return;
	pthread_mutex_lock(&exit_lock);
	if (t->cof) {		/* cof_free() waits for this lock */
		if (!cof_is_quiet(t->cof))
			detach(t->cof, t);
	} else {
		self_set(NULL);
		cof_mem_free(t);
	}
	pthread_mutex_unlock(&exit_lock);
}

static void make_exit_key(void)
{
	exit_key_made = pthread_key_create(&exit_key, exit_of_thread) == 0;
}

/* NULL: the instance was freed, and the record is an orphan. */
static struct cof *instance_of(const struct cof_thread *t)
{
	struct cof *cof;

	pthread_mutex_lock(&exit_lock);
	cof = t->cof;
	pthread_mutex_unlock(&exit_lock);
	return cof;
}

/* -- The record ------------------------------------------------------------ */

/* The bounds of the calling thread's stack. */
static int system_stack(uintptr_t *lo, uintptr_t *hi)
{
	pthread_attr_t attr;
	size_t bytes = 0;
	void *at = NULL;
	int err;

	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return -COF_E_NOMEM;
	err = pthread_attr_getstack(&attr, &at, &bytes);
	pthread_attr_destroy(&attr);
	if (err != 0)
		return -COF_E_PERM;
	*lo = (uintptr_t)at;
	*hi = (uintptr_t)at + bytes;
	return 0;
}

/* One block: the record, then the words of its ring. */
static struct cof_thread *new_record(struct cof *cof)
{
	uint64_t words = cof->threads->sampler->ring_words(cof);
	size_t head = (sizeof(struct cof_thread) + COF_CACHELINE - 1) &
		      ~(size_t)(COF_CACHELINE - 1);
	char *block = cof_mem_alloc(head + words * sizeof(uint64_t));
	struct cof_thread *t = (struct cof_thread *)block;

	if (!t)
		return NULL;
	cof_ring_init(&t->ring, (uint64_t *)(block + head), words);
	t->cof = cof;
	t->tid = (int)gettid();
	t->perf_fd = -1;
	t->seen_cpu_ns = cof_clock_thread_ns();
	t->rng = (uint64_t)t->tid * 0x9e3779b97f4a7c15u + cof_clock_ns();
	return t;
}

/* [threads lock] */
static void list_in(struct cof_threads *all, struct cof_thread *t)
{
	t->next = all->list;
	t->link = &all->list;
	if (t->next)
		t->next->link = &t->next;
	all->list = t;
}

void cof_threads_drop(struct cof *cof, struct cof_thread *t)
{
	*t->link = t->next;
	if (t->next)
		t->next->link = t->link;
	cof_count_add_shared(&cof->flow->threads.detached, 1);
	cof_mem_free(t);
}

int cof_thread_attach(struct cof *cof, const void *stack_lo,
		      const void *stack_hi)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uintptr_t lo = (uintptr_t)stack_lo, hi = (uintptr_t)stack_hi;
	struct cof_threads *all = cof->threads;
	struct cof_thread *t = self_get();
	int err;

	if (t && instance_of(t))
		return -COF_E_STATE;
	if (!lo && !hi) {
		err = system_stack(&lo, &hi);
		if (err != 0)
			return err;
	}
	if (!lo || lo >= hi)
		return -COF_E_INVAL;
	if (t) {		/* an orphan */
		pthread_setspecific(exit_key, NULL);
		self_set(NULL);
		cof_mem_free(t);
	}

	pthread_once(&once, make_exit_key);
	t = new_record(cof);
	if (!t)
		return -COF_E_NOMEM;
	t->stack_lo = lo;
	t->stack_hi = hi;
	if (!exit_key_made || pthread_setspecific(exit_key, t) != 0) {
		cof_mem_free(t);
		return -COF_E_NOMEM;
	}
	self_set(t);

	pthread_mutex_lock(&all->lock);
	list_in(all, t);
	all->n++;
	if (all->expected == t->tid)
		all->expected = 0;
	all->sampler->attach(cof, t);
	pthread_mutex_unlock(&all->lock);
	cof_count_add_shared(&cof->flow->threads.attached, 1);
	cof_count_add_shared(&cof->flow->threads.now, 1);
	return 0;
}

void cof_thread_expect(struct cof *cof, int tid)
{
	pthread_mutex_lock(&cof->threads->lock);
	cof->threads->expected = tid;
	pthread_mutex_unlock(&cof->threads->lock);
}

static void detach(struct cof *cof, struct cof_thread *t)
{
	struct cof_threads *all = cof->threads;

	pthread_mutex_lock(&all->lock);
	t->gone = all->sampler->detach(cof, t);
	self_set(NULL);
	t->cpu_ns = cof_clock_thread_ns();
	all->n--;
	if (t->gone)
		cof_pending_put(all, t);
	else
		cof_threads_drop(cof, t);
	pthread_mutex_unlock(&all->lock);
	cof_count_add_shared(&cof->flow->threads.now, -(uint64_t)1);
	pthread_setspecific(exit_key, NULL);
}

/* It may have been expected, and is no more. */
static void leave_unattached(struct cof_threads *all)
{
	pthread_mutex_lock(&all->lock);
	if (all->expected == (int)gettid())
		all->expected = 0;
	pthread_mutex_unlock(&all->lock);
}

void cof_thread_detach(struct cof *cof)
{
	struct cof_thread *t = self_get();

	if (!cof || cof_is_quiet(cof))
		return;
	if (!t)
		leave_unattached(cof->threads);
	else if (instance_of(t) == cof)
		detach(cof, t);
}

/* -- Handlers under way ---------------------------------------------------- */

static bool is_busy(const struct cof_threads *threads)
{
	for (const struct cof_thread *t = threads->list; t; t = t->next)
		if (atomic_load(&t->busy))		/* D */
			return true;
	return false;
}

/*
 * The lock is held, so no record goes meanwhile. That is no deadlock: the
 * handler takes no lock, and a thread that waits for this one is not in the
 * handler.
 */
bool cof_threads_quiesce(struct cof_threads *threads)
{
	const struct timespec nap = { .tv_nsec = QUIESCE_NAP_NS };
	uint64_t until = cof_clock_ns() + QUIESCE_NS;

	for (struct cof_thread *t = threads->list; t; t = t->next)
		atomic_store(&t->live, NULL);		/* C */
	for (uint32_t i = 0; is_busy(threads); i++) {
		if (i < QUIESCE_YIELDS) {
			sched_yield();
			continue;
		}
		if (cof_clock_ns() > until)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

/* -- Life ------------------------------------------------------------------ */

struct cof_threads *cof_threads_new(const struct cof_threads_hooks *sampler)
{
	struct cof_threads *threads = cof_mem_alloc(sizeof(*threads));

	if (threads && pthread_mutex_init(&threads->lock, NULL) != 0) {
		cof_mem_free(threads);
		return NULL;
	}
	if (threads)
		threads->sampler = sampler;
	return threads;
}

void cof_threads_free(struct cof_threads *threads)
{
	if (!threads)
		return;
	pthread_mutex_lock(&exit_lock);
	while (threads->list) {
		struct cof_thread *t = threads->list;

		threads->list = t->next;
		if (t->gone)
			cof_mem_free(t);
		else
			t->cof = NULL;	/* an orphan; its thread frees it */
	}
	pthread_mutex_unlock(&exit_lock);
	while (threads->stacks) {
		struct cof_stack *s = threads->stacks;

		threads->stacks = s->next;
		cof_mem_free(s);
	}
	pthread_mutex_destroy(&threads->lock);
	cof_mem_free(threads);
}

void cof_threads_exit_lock(void)
{
	pthread_mutex_lock(&exit_lock);
}

COF_FORK_CODE void cof_threads_exit_unlock(void)
{
	pthread_mutex_unlock(&exit_lock);
}

/*
 * The child inherits neither timers (timer_create(2)) nor the mapping of a perf
 * buffer, but it inherits the buffer's descriptor.
 */
COF_FORK_CODE
static void forget_source(const struct cof *cof, struct cof_thread *t)
{
	cof->threads->sampler->forget(t);
	t->perf_map = NULL;
	atomic_store_explicit(&t->has_timer, false, memory_order_relaxed);
	atomic_store_explicit(&t->sampled, false, memory_order_relaxed);
	atomic_store_explicit(&t->live, NULL, memory_order_relaxed);
	t->has_poke = false;
	t->has_child_timer = false;
	t->rung = NULL;
}

COF_FORK_CODE void cof_threads_in_child(struct cof *cof)
{
	struct cof_thread *t, *next;
	uint32_t left = 0;

	for (t = cof->threads->list; t; t = next) {
		next = t->next;
		if (cof->sampler)
			forget_source(cof, t);
		if (t != self_get()) {
			cof_threads_drop(cof, t);
			continue;
		}
		if (t->is_pending)	/* in the parent */
			t->is_pending = false;
		t->tid = (int)gettid();
		if (cof->sampler)
			cof->threads->sampler->forked(cof, t);
		left++;
	}
	if (cof->threads->pending)
		cof->threads->pending = NULL;
	if (cof->threads->n != left)
		cof->threads->n = left;
	if (cof->threads->expected != 0)
		cof->threads->expected = left == 0 ? (int)gettid() : 0;
	if (cof->threads->poke_signal != 0)
		cof->threads->poke_signal = 0;
	cof_count_set(&cof->flow->threads.now, left);
}

/*
 * hidden_threads.c - a list of the hidden threads
 *
 * The linker's --wrap leads Mono's calls here.
 */
#include "vm/hidden_threads.h"

#include <pthread.h>
#include <string.h>

#include "vm/internals.h"

#define NAME_BYTES 16	/* pthread_getname_np(3) */

struct thread {
	pthread_t      id;
	struct thread *next;	/* lock */
	bool           in_list;	/* only the thread itself changes it */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *list;	/* lock */
static _Thread_local struct thread self;

void cofm_hidden_threads_add(void)
{
	pthread_mutex_lock(&lock);
	self = (struct thread){ pthread_self(), list, true };
	list = &self;
	pthread_mutex_unlock(&lock);
}

void cofm_hidden_threads_drop(void)
{
	pthread_mutex_lock(&lock);
	for (struct thread **t = &list; *t; t = &(*t)->next)
		if (*t == &self) {
			*t = self.next;
			break;
		}
	pthread_mutex_unlock(&lock);
	self.in_list = false;
}

bool cofm_hidden_threads_is_current(void)
{
	return self.in_list;
}

void cofm_hidden_threads_name(void *internal_thread)
{
	_Alignas(16) char error[COFM_ERROR_BYTES] = { 0 };
	char name[NAME_BYTES] = "", *copy;

	pthread_getname_np(pthread_self(), name, sizeof(name));
	copy = strdup(name);
	if (copy)
		mono_thread_set_name(internal_thread, copy, strlen(copy), NULL,
				     0, (MonoError *)(void *)error);
}

static bool is_listed(pthread_t id)
{
	struct thread *t;

	pthread_mutex_lock(&lock);
	for (t = list; t && !pthread_equal(t->id, id); t = t->next)
		;
	pthread_mutex_unlock(&lock);
	return t;
}

/* Do nothing for a hidden thread, as if it did not exist: it has no managed
 * frames. */
void __wrap_mono_thread_info_safe_suspend_and_run(pthread_t id,
						  MonoBoolean interrupt,
						  void *run, void *arg)
{
	if (!is_listed(id))
		__real_mono_thread_info_safe_suspend_and_run(id, interrupt, run,
							     arg);
}

/*
 * The program asks for the stacks of all threads. Mono's table has a thread
 * some instructions before the thread has its System.Threading.Thread, and Mono
 * aborts if it looks then. The program starts its own threads before it asks;
 * of ours it knows nothing.
 */
static _Thread_local bool asks_for_stacks;

void __wrap_ves_icall_System_Threading_Thread_GetStackTraces(
	void *threads, void *stacks, MonoError *error)
{
	asks_for_stacks = true;
	__real_ves_icall_System_Threading_Thread_GetStackTraces(threads, stacks,
								error);
	asks_for_stacks = false;
}

struct each {
	cofm_hash_fn *fn;
	void         *arg;
};

static void unless_hidden(void *key, void *value, void *arg)
{
	struct each *each = arg;

	if (!is_listed((pthread_t)key))
		each->fn(key, value, each->arg);
}

/* Mono's table of threads, by pthread_t, is the one it goes through then. */
void __wrap_mono_g_hash_table_foreach(void *hash, cofm_hash_fn *fn, void *arg)
{
	struct each each = { fn, arg };

	if (asks_for_stacks)
		__real_mono_g_hash_table_foreach(hash, unless_hidden, &each);
	else
		__real_mono_g_hash_table_foreach(hash, fn, arg);
}

/*
 * When the program ends, Mono asks this of each thread before it waits for,
 * aborts or suspends it. A hidden thread that is just being attached has not
 * yet the flags of a helper, and Mono would wait for it as for a thread of the
 * program.
 */
MonoBoolean __wrap_mono_gc_is_finalizer_internal_thread(void *thread)
{
	pthread_t id;

	memcpy(&id, (char *)thread + COFM_INTERNAL_ID, sizeof(id));
	return __real_mono_gc_is_finalizer_internal_thread(thread) ||
	       is_listed(id);
}

void __wrap_mono_profiler_raise_thread_started(uintptr_t tid)
{
	if (!cofm_hidden_threads_is_current())
		__real_mono_profiler_raise_thread_started(tid);
}

void __wrap_mono_profiler_raise_thread_stopping(uintptr_t tid)
{
	if (!cofm_hidden_threads_is_current())
		__real_mono_profiler_raise_thread_stopping(tid);
}

/* Mono's last event of a thread. Nothing can look for the thread any more. */
void __wrap_mono_profiler_raise_thread_stopped(uintptr_t tid)
{
	if (cofm_hidden_threads_is_current())
		cofm_hidden_threads_drop();
	else
		__real_mono_profiler_raise_thread_stopped(tid);
}

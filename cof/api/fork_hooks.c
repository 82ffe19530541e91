/*
 * fork_hooks.c - what fork(2) does to locks and code memory; see fork_hooks.h
 *
 *	prepare   block signals, take every lock, lend code memory or copy the
 *	          pages in use: a handler of the program's, which may call a
 *	          method for the first time, comes before or after the fork
 *	parent    drop the copy, release the locks
 *	child     map the copy where code memory was, forget the other threads,
 *	          leave the stats file to the parent, release the locks
 *
 * Code memory is a shared mapping. Without a copy the child would run what the
 * parent patches, and lose what the parent frees. The copy is made before the
 * fork, since nothing changes then. Or, where neither process is likely to
 * write, the first of them that does makes it (cof_codemem_lend).
 *
 * The cost of a fork is in pages: each page that parent or child writes to
 * afterwards is a fault and a copy, and most children live for less time than a
 * hundred of these take. So a process with one thread takes no lock here, since
 * no other thread can hold one, and no field is stored that has its value
 * already.
 *
 * If there is no memory or no file for the copy, the child shares code memory,
 * and the parent never frees code again. If the child cannot map the copy, the
 * parent must assume that it shares as well: the child notes it in a word that
 * both processes share, where the parent's SAM finds it. In both cases the
 * child never writes to code memory.
 *
 * Locks are taken in one order: registry, signals, exits, regions; then for
 * each instance, in the order of registration, code and threads. Apart from
 * this, only a thread's exit (threads/threads.c) holds two of them. The locks
 * of the log and of unwind.c are not taken, but made anew in the child.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/single_threaded.h>

#include "api/fork_hooks.h"

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "code/jitinfo.h"
#include "codemem/code_pages.h"
#include "codemem/code_range.h"
#include "codemem/codemem.h"
#include "cof.h"
#include "instance.h"
#include "memory/mem.h"
#include "process/forked.h"
#include "process/process.h"
#include "reclaim/reclaim.h"
#include "stats/stats_file.h"
#include "threads/regions.h"
#include "threads/threads.h"
#include "threads/unwind.h"

struct member {
	struct member *next;
	struct cof    *cof;
	struct cof_code_pages copy;	/* during a fork, if there is one */
	bool             copied, lent;	/* at the latest fork */
};

static COF_FORK_DATA struct {
	pthread_mutex_t  lock;
	struct member   *first;		/* lock */
	sigset_t         mask;		/* the forking thread's, before */
	bool             locked;	/* lock: a fork took all of them */
} registry = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const struct cof_code_range *range_of(const struct cof *cof)
{
	return cof->codemem ? cof_codemem_range(cof->codemem) : NULL;
}

static void lock_all(void)
{
	pthread_mutex_lock(&registry.lock);
	registry.locked = true;
	cof_process_signal_lock();
	cof_threads_exit_lock();
	cof_regions_lock();
	for (struct member *m = registry.first; m; m = m->next) {
		pthread_mutex_lock(&m->cof->code_lock);
		pthread_mutex_lock(&m->cof->threads->lock);
	}
	cof_jitinfo_fork_prepare();
}

/* Returns what cof_regions_unlock() returns. */
COF_FORK_CODE static bool unlock_instances(bool child)
{
	bool walked;

	for (struct member *m = registry.first; m; m = m->next) {
		pthread_mutex_unlock(&m->cof->threads->lock);
		pthread_mutex_unlock(&m->cof->code_lock);
	}
	walked = cof_regions_unlock(child);
	cof_threads_exit_unlock();
	cof_process_signal_unlock();
	return walked;
}

COF_FORK_CODE static void unlock_registry(void)
{
	registry.locked = false;
	pthread_mutex_unlock(&registry.lock);
}

static void lend_or_copy(struct member *m)
{
	struct cof_codemem *mem = m->cof->codemem;
	bool lent = mem && m->cof->host.fork_shares_code &&
		    cof_codemem_lend(mem);
	bool copied = mem && !lent && cof_codemem_snapshot(mem, &m->copy) == 0;

	if (m->lent != lent)
		m->lent = lent;
	if (m->copied != copied)
		m->copied = copied;
}

/* No handler of the program's may meet the locks on this thread, nor change
 * code memory. libcof's own, by the signal that libc keeps, does neither. */
static void before_fork(void)
{
	sigset_t all, mask;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	if (!__libc_single_threaded)
		lock_all();
	registry.mask = mask;
	for (struct member *m = registry.first; m; m = m->next)
		lend_or_copy(m);
}

static void after_fork_in_parent(void)
{
	sigset_t mask = registry.mask;

	/* Before P/O may free anything that the child has. */
	for (struct member *m = registry.first; m; m = m->next)
		if (!m->copied && !m->lent && range_of(m->cof))
			cof_reclaim_disable_locked(m->cof,
				"a forked child shares code memory");
	if (registry.locked) {
		cof_jitinfo_fork_parent();
		unlock_instances(false);
	}
	for (struct member *m = registry.first; m; m = m->next)
		if (m->copied)
			cof_code_pages_free(&m->copy);
	if (registry.locked)
		unlock_registry();
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* In the child: map its own code memory, or close it to writes. */
COF_FORK_CODE static void part_code(const struct member *m)
{
	/* The view is const, but the fork hooks may change the range. */
	struct cof_code_range *range =
		(struct cof_code_range *)range_of(m->cof);
	struct cof_code_pages copy = m->copy;

	if (m->copied && range && !range->closed)
		cof_code_range_part(range, &copy, true);
	else if (!m->copied && !m->lent && range)	/* the parent knows */
		cof_code_range_close(range);
	if (m->copied)
		cof_code_pages_free(&copy);
}

/* In the child of a process that had several threads. */
COF_FORK_CODE static void forget_threads(void)
{
	cof_jitinfo_fork_child();
	for (struct member *m = registry.first; m; m = m->next)
		/* Another thread may have held it. */
		pthread_mutex_init(&m->cof->log_lock, NULL);
	cof_unwind_in_child(unlock_instances(true));
	unlock_registry();
}

COF_FORK_CODE static void after_fork_in_child(void)
{
	sigset_t mask = registry.mask;

	cof_process_signal_itimer(0);	/* a child has no timer */
	for (struct member *m = registry.first; m; m = m->next) {
		part_code(m);
		if (m->cof->stats_file)
			cof_stats_file_forked(m->cof->stats_file);
		cof_threads_in_child(m->cof);
	}
	if (registry.locked)
		forget_threads();
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static bool hooked;

/* After forked.c's hooks, so that its count is right in these. */
static void hook(void)
{
	hooked = cof_forked_is_counted() &&
		 pthread_atfork(before_fork, after_fork_in_parent,
				after_fork_in_child) == 0;
}

bool cof_fork_hooks_install(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, hook);
	return hooked;
}

int cof_fork_hooks_enter(struct cof *cof)
{
	struct member *m, **end = &registry.first;

	m = cof_fork_hooks_install() ? cof_mem_alloc(sizeof(*m)) : NULL;
	if (!m)
		return -COF_E_NOMEM;
	m->cof = cof;
	pthread_mutex_lock(&registry.lock);
	while (*end)
		end = &(*end)->next;
	*end = m;
	pthread_mutex_unlock(&registry.lock);
	return 0;
}

void cof_fork_hooks_leave(struct cof *cof)
{
	struct member **at, *m = NULL;

	pthread_mutex_lock(&registry.lock);
	for (at = &registry.first; *at; at = &(*at)->next) {
		if ((*at)->cof == cof) {
			m = *at;
			*at = m->next;
			break;
		}
	}
	pthread_mutex_unlock(&registry.lock);
	cof_mem_free(m);
}

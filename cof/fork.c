/*
 * fork.c - what fork(2) must not break; see process.h
 *
 *	prepare   block signals, take every lock, copy the code pages in use
 *	parent    drop the copy, let go
 *	child     put the copy where code memory was, forget the other threads,
 *	          leave the stats file to the parent, let go
 *
 * The copy is needed since code memory is a shared mapping: without it the
 * child would run what the parent patches, and lose what the parent frees. It
 * is made before the fork, since only then nothing moves.
 *
 * Should there be no memory or no file for the copy, the child does share, and
 * the parent never frees code again. Should the child fail to map it, it shares
 * as well, as far as the parent can tell: it says so in a word that parent and
 * child have in common, where the parent's SAM finds it. Either way the child
 * writes to code memory no more.
 *
 * Locks are taken in one order: registry, signals, exits, regions, then for
 * each instance, in the order of registration, code, threads. But for a
 * thread's exit (threads.c) nothing else in libcof holds two of them. Those of
 * the log and of unwind.c are not taken but made anew in the child.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "cof.h"
#include "instance.h"
#include "jitinfo.h"
#include "mem.h"
#include "patcher/codemem.h"
#include "process.h"
#include "sampler/regions.h"
#include "sampler/threads.h"
#include "sampler/unwind.h"
#include "share.h"

struct member {
	struct member *next;
	struct cof    *cof;
	uint32_t       forks;	/* as of fork_enter */
	struct cof_pages copy;	/* during a fork, if there is one */
	bool             copied;
};

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct member  *registry;	/* registry lock */
static sigset_t        mask_before;	/* registry lock, during a fork */
static _Atomic uint32_t forks;

/*
 * On a page that stays shared in children: one of them has no code memory of
 * its own. Relaxed: it says nothing about anything else in memory.
 */
static _Atomic bool *child_shares;	/* constant once hooked */

static const struct cof_range *range_of(const struct cof *cof)
{
	return cof->codemem ? cof_codemem_range(cof->codemem) : NULL;
}

static void before_fork(void)
{
	sigset_t all, mask;

	/* No handler of anybody's may meet these locks on this thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	pthread_mutex_lock(&registry_lock);
	mask_before = mask;
	cof_process_signal_lock();
	cof_threads_exit_lock();
	cof_regions_lock();
	for (struct member *m = registry; m; m = m->next) {
		const struct cof_codemem *mem = m->cof->codemem;

		pthread_mutex_lock(&m->cof->code_lock);
		pthread_mutex_lock(&m->cof->threads->lock);
		m->copied = mem && cof_codemem_snapshot(mem, &m->copy) == 0;
	}
	cof_jitinfo_fork_prepare();
}

/* Returns cof_regions_unlock()'s. */
static bool unlock_instances(bool child)
{
	bool walked;

	for (struct member *m = registry; m; m = m->next) {
		pthread_mutex_unlock(&m->cof->threads->lock);
		pthread_mutex_unlock(&m->cof->code_lock);
	}
	walked = cof_regions_unlock(child);
	cof_threads_exit_unlock();
	cof_process_signal_unlock();
	return walked;
}

static void unlock_registry(void)
{
	sigset_t mask = mask_before;

	pthread_mutex_unlock(&registry_lock);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void after_fork_in_parent(void)
{
	cof_jitinfo_fork_parent();
	unlock_instances(false);
	for (struct member *m = registry; m; m = m->next) {
		if (m->copied)
			cof_pages_free(&m->copy);
		else if (range_of(m->cof))
			cof_reclaim_disable(m->cof,
				"a forked child shares code memory");
	}
	unlock_registry();
}

/* In the child: code memory of our own, or none that can be written. */
static void part_code(struct member *m)
{
	/* It is a const view of what is ours to change here. */
	struct cof_range *range = (struct cof_range *)range_of(m->cof);

	if (!range || range->closed) {
		if (m->copied)
			cof_pages_free(&m->copy);
		return;
	}
	if (!m->copied) {	/* the parent knows */
		cof_range_close(range);
		return;
	}
	if (cof_range_place(range, &m->copy) != 0) {
		cof_range_close(range);
		atomic_store_explicit(child_shares, true, memory_order_relaxed);
	}
	cof_pages_free(&m->copy);
}

static void after_fork_in_child(void)
{
	atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
	cof_jitinfo_fork_child();
	for (struct member *m = registry; m; m = m->next) {
		part_code(m);
		if (m->cof->share)
			cof_share_forked(m->cof->share);
		cof_threads_in_child(m->cof);
		/* A thread that is not here may have been logging. */
		pthread_mutex_init(&m->cof->log_lock, NULL);
	}
	cof_unwind_in_child(unlock_instances(true));
	unlock_registry();
}

static bool hooked;

static void hook(void)
{
	void *page = mmap(NULL, sizeof(*child_shares), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return;
	child_shares = page;	/* zero: none does */
	hooked = pthread_atfork(before_fork, after_fork_in_parent,
				after_fork_in_child) == 0;
}

uint32_t cof_process_forks(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, hook);
	return atomic_load_explicit(&forks, memory_order_relaxed);
}

int cof_process_child_shares(void)
{
	(void)cof_process_forks();
	return child_shares &&
	       atomic_load_explicit(child_shares, memory_order_relaxed);
}

int cof_process_fork_enter(struct cof *cof)
{
	struct member *m = cof_alloc(sizeof(*m)), **end = &registry;

	if (!m)
		return -COF_E_NOMEM;
	m->cof = cof;
	m->forks = cof_process_forks();
	if (!hooked) {
		cof_free_mem(m);
		return -COF_E_NOMEM;
	}
	pthread_mutex_lock(&registry_lock);
	while (*end)
		end = &(*end)->next;
	*end = m;
	pthread_mutex_unlock(&registry_lock);
	return 0;
}

void cof_process_fork_leave(struct cof *cof)
{
	struct member **at, *m = NULL;

	pthread_mutex_lock(&registry_lock);
	for (at = &registry; *at; at = &(*at)->next) {
		if ((*at)->cof == cof) {
			m = *at;
			*at = m->next;
			break;
		}
	}
	pthread_mutex_unlock(&registry_lock);
	cof_free_mem(m);
}

int cof_process_is_child(const struct cof *cof)
{
	int child = 0;

	pthread_mutex_lock(&registry_lock);
	for (const struct member *m = registry; m; m = m->next)
		if (m->cof == cof)
			child = m->forks != cof_process_forks();
	pthread_mutex_unlock(&registry_lock);
	return child;
}

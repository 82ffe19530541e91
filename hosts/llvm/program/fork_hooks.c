/*
 * fork_hooks.c - lock before a fork, unlock after it; see fork_hooks.h
 */
#include "program/fork_hooks.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "base/clock.h"
#include "base/fork_code.h"
#include "base/fork_data.h"
#include "base/rawcall.h"
#include "base/units.h"
#include "cofl.h"
#include "profile/counter_shards.h"
#include "support/tuning.h"
#include "version_cache/version_cache_host.h"

static struct cofl *forking;	/* the one host of the process */

/* Set during a fork, under the last lock. */
static COF_FORK_DATA struct {
	sigset_t mask;		/* before the fork */
	bool     module, loader;	/* their locks were to be had */
	bool     locked;
} now;

static COF_FORK_DATA _Atomic bool in_vain;	/* the latest wait was */

/*
 * Both or none, with signals blocked; on failure they are as before.
 *
 * The module's lock comes first: no copy is made while it is held.
 */
static bool try_both(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
	if (pthread_mutex_trylock(&forking->module_lock) == 0) {
		if (pthread_mutex_trylock(&forking->loader_lock) == 0)
			return true;
		pthread_mutex_unlock(&forking->module_lock);
	}
	pthread_sigmask(SIG_SETMASK, before, NULL);
	return false;
}

/*
 * The thread that forks may be in a constructor, under dlopen(3), and so have
 * the dynamic linker's lock. A thread that loads LLVM, or looks up a name for
 * new code, waits for that with one of these. So the wait for them has an end.
 * By system calls alone: fork(2) is no cancellation point. Signals come between
 * the tries.
 */
static bool wait_for_both(sigset_t *before)
{
	const struct timespec nap = { .tv_nsec = COF_MS_NS };
	uint64_t end_ns = cof_clock_ns() + COFL_TUNE(fork_wait_ms) * COF_MS_NS;
	bool has;

	while (!(has = try_both(before)) && !atomic_load(&in_vain) &&
	       cof_clock_ns() < end_ns)
		cof_raw(SYS_nanosleep, (long)&nap, 0, 0, 0);
	if (atomic_load(&in_vain) == has)
		atomic_store(&in_vain, !has);
	return has;
}

/*
 * In a process of one thread no lock is taken, since nobody else can hold one,
 * and the page of each lock would be copied (cof/api/fork_hooks.c). These hooks
 * are around libcof's. Those block signals too, but not for as long: a handler
 * on this thread that forks, or needs the compiler, would wait for these locks.
 */
static void prepare(void)
{
	bool module = true, loader = true;
	sigset_t all, before;

	if (__libc_single_threaded)
		return;
	if (!wait_for_both(&before)) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		module = pthread_mutex_trylock(&forking->module_lock) == 0;
		loader = pthread_mutex_trylock(&forking->loader_lock) == 0;
	}
	pthread_mutex_lock(&forking->profile_lock);
	cofl_counter_shards_lock();
	now.module = module;
	now.loader = loader;
	now.mask = before;
	now.locked = true;
}

/* In a child whose parent did not get the lock: nobody has it there. */
COF_FORK_CODE static void renew(pthread_mutex_t *lock)
{
	pthread_mutex_init(lock, NULL);
}

COF_FORK_CODE static void release(bool is_child)
{
	bool module = now.module, loader = now.loader;
	sigset_t before = now.mask;

	if (!now.locked)
		return;
	now.locked = false;
	cofl_counter_shards_unlock();
	pthread_mutex_unlock(&forking->profile_lock);
	if (loader)
		pthread_mutex_unlock(&forking->loader_lock);
	else if (is_child)
		renew(&forking->loader_lock);
	if (module) {
		pthread_mutex_unlock(&forking->module_lock);
	} else if (is_child) {
		renew(&forking->module_lock);
		forking->module_failed = true;	/* it is loaded by half */
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

COF_FORK_CODE static void in_parent(void)
{
	release(false);
}

COF_FORK_CODE static void in_child(void)
{
	release(true);
}

/*
 * The build workers may have held their copies of the bitcode and the cache of
 * versions. All that the guest threads use is under the locks above.
 */
int cofl_fork_hooks_child_begins(void *ctx)
{
	struct cofl *host = ctx;

	pthread_mutex_init(&host->pool_lock, NULL);
	host->pool = NULL;
	host->n_pool = 0;
	cofl_version_cache_host_in_child(host);
	return 0;
}

int cofl_fork_hooks_init(struct cofl *host)
{
	forking = host;
	return pthread_atfork(prepare, in_parent, in_child);
}

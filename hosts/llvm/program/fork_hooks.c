/*
 * fork_hooks.c - lock before a fork, unlock after it; see fork_hooks.h
 */
#include "program/fork_hooks.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "base/units.h"
#include "cofl.h"
#include "profile/counter_shards.h"
#include "support/tuning.h"
#include "version_cache/version_cache_host.h"

static struct cofl *forking;	/* the one host of the process */

/* Set during a fork, under the last lock. */
static COF_FORK_DATA bool     locked, without_module;
static COF_FORK_DATA sigset_t mask;	/* before the fork */

/*
 * The thread that forks may be in a constructor, under dlopen(3), and so have
 * the dynamic linker's lock, which the load of LLVM waits for with the module's
 * lock. The two waits would never end. Signals come between the tries.
 */
static bool lock_module(const sigset_t *all, sigset_t *before)
{
	const struct timespec nap = { .tv_nsec = COF_MS_NS };

	for (uint32_t ms = 0; ms < COFL_TUNE(fork_wait_ms); ms++) {
		pthread_sigmask(SIG_SETMASK, all, before);
		if (pthread_mutex_trylock(&forking->module_lock) == 0)
			return true;
		pthread_sigmask(SIG_SETMASK, before, NULL);
		nanosleep(&nap, NULL);
	}
	pthread_sigmask(SIG_SETMASK, all, before);
	return false;
}

/*
 * The module's lock comes first: no copy is made while it is held. In a process
 * of one thread no lock is taken, since nobody else can hold one, and the page
 * of each lock would be copied (cof/api/fork_hooks.c). These hooks are around
 * libcof's. Those block signals too, but not for as long: a handler on this
 * thread that forks, or needs the compiler, would wait for these locks.
 */
static void prepare(void)
{
	sigset_t all, before;
	bool has_module;

	if (__libc_single_threaded)
		return;
	sigfillset(&all);
	has_module = lock_module(&all, &before);
	pthread_mutex_lock(&forking->loader_lock);
	pthread_mutex_lock(&forking->profile_lock);
	cofl_counter_shards_lock();
	without_module = !has_module;
	mask = before;
	locked = true;
}

COF_FORK_CODE static void release(bool is_child)
{
	sigset_t before = mask;
	bool has_module = !without_module;

	if (!locked)
		return;
	locked = false;
	cofl_counter_shards_unlock();
	pthread_mutex_unlock(&forking->profile_lock);
	pthread_mutex_unlock(&forking->loader_lock);
	if (has_module) {
		pthread_mutex_unlock(&forking->module_lock);
	} else if (is_child) {
		/* What was loaded by half stays so. */
		pthread_mutex_init(&forking->module_lock, NULL);
		forking->module_failed = true;
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

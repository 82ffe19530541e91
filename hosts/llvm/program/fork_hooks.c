/*
 * fork_hooks.c - lock before a fork, unlock after it; see fork_hooks.h
 */
#include "program/fork_hooks.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/single_threaded.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "cofl.h"
#include "profile/counter_shards.h"
#include "version_cache/version_cache_host.h"

static struct cofl *forking;	/* the one host of the process */

/* Set during a fork, under the module's lock. */
static COF_FORK_DATA bool     locked;
static COF_FORK_DATA sigset_t mask;	/* before the fork */

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

	if (__libc_single_threaded)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_mutex_lock(&forking->module_lock);
	mask = before;
	pthread_mutex_lock(&forking->loader_lock);
	pthread_mutex_lock(&forking->profile_lock);
	cofl_counter_shards_lock();
	locked = true;
}

COF_FORK_CODE static void release(void)
{
	sigset_t before = mask;

	if (!locked)
		return;
	locked = false;
	cofl_counter_shards_unlock();
	pthread_mutex_unlock(&forking->profile_lock);
	pthread_mutex_unlock(&forking->loader_lock);
	pthread_mutex_unlock(&forking->module_lock);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
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
	return pthread_atfork(prepare, release, release);
}

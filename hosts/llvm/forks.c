/*
 * forks.c - hold the compiler's locks over a fork
 */
#include "forks.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/single_threaded.h>

#include "host.h"
#include "module.h"
#include "shard.h"

static struct cofl *forking;	/* the one host of the process */
static bool         locked;	/* by a fork, under the module's lock */

/*
 * The module's lock first: whether there is a copy then stays as it is. None where
 * nobody else can hold one: the page of each would be copied (cof/fork.c).
 */
static void prepare(void)
{
	if (__libc_single_threaded)
		return;
	pthread_mutex_lock(&forking->module_lock);
	cofl_module_guest_lock(forking);
	pthread_mutex_lock(&forking->loader_lock);
	cofl_shard_lock();
	locked = true;
}

static void release(void)
{
	if (!locked)
		return;
	locked = false;
	cofl_shard_unlock();
	pthread_mutex_unlock(&forking->loader_lock);
	cofl_module_guest_unlock(forking);
	pthread_mutex_unlock(&forking->module_lock);
}

int cofl_forks_init(struct cofl *host)
{
	forking = host;
	return pthread_atfork(prepare, release, release);
}

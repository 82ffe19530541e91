/*
 * forks.c - hold the compiler's locks over a fork
 */
#include "forks.h"

#include <pthread.h>

#include "copy.h"
#include "host.h"

static struct cofl *forking;	/* the one host of the process */

static void prepare(void)
{
	pthread_mutex_lock(&forking->copy->lock);
	pthread_mutex_lock(&forking->loader_lock);
}

static void release(void)
{
	pthread_mutex_unlock(&forking->loader_lock);
	pthread_mutex_unlock(&forking->copy->lock);
}

int cofl_forks_init(struct cofl *host)
{
	forking = host;
	return pthread_atfork(prepare, release, release);
}

/*
 * kick.h - have a guest thread answer scan rounds, without a sampler
 *
 * SIGUSR1 takes the place of the sampling signal. Another thread sends it to
 * the guest again and again, as a timer would.
 */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "instance.h"
#include "reclaim/scan.h"
#include "tests/support/balance.h"
#include "threads/threads.h"

#define MS      UINT64_C(1000000)
#define PATIENT (600000 * MS)	/* reached only if something is wrong */

static pthread_t    kick_guest, kick_thread;
static _Atomic bool kick_over;
static bool         kicking;	/* by kick_begin() */

/* What the sampling handler does. */
static inline void kick_handler(int sig, siginfo_t *info, void *ucontext)
{
	struct cof_thread *self = cof_thread_self;

	(void)sig;
	(void)info;
	if (self)
		cof_scan_answer(cof_reclaim_scan(self->cof), self, ucontext);
}

static inline void *kick_main(void *arg)
{
	(void)arg;
	while (!kick_over) {
		pthread_kill(kick_guest, SIGUSR1);
		nap();
	}
	return NULL;
}

/* Send signals to the guest from now on, until kick_end(). */
static inline void kick_begin(pthread_t guest)
{
	struct sigaction act = { .sa_sigaction = kick_handler,
				 .sa_flags = SA_SIGINFO | SA_RESTART };

	sigaction(SIGUSR1, &act, NULL);
	kick_guest = guest;
	kick_over = false;
	kicking = true;
	assert_int_equal(pthread_create(&kick_thread, NULL, kick_main, NULL),
			 0);
}

static inline void kick_end(void)
{
	kick_over = true;
	pthread_join(kick_thread, NULL);
	kicking = false;
}

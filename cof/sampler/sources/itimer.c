/*
 * itimer.c - source: ITIMER_PROF, one timer for the whole process
 *
 * The kernel sends the signal to some running thread, mostly the one whose tick
 * it was. So the samples fall unevenly on threads, and some are lost on threads
 * that are not attached. If the program uses the timer itself, the source
 * declines. close() restores the timer's former setting.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "cof.h"
#include "instance.h"
#include "memory/mem.h"
#include "process/process.h"
#include "sampler/sources/source.h"
#include "threads/threads.h"

struct itimer {
	struct itimerval before;
	uint64_t         period_ns;	/* 0: not armed yet */
};

static int itimer_open(struct cof *cof, void **state, char *why, size_t bytes)
{
	struct itimerval now;
	struct itimer *it;

	if (cof->opts.signal != SIGPROF) {
		snprintf(why, bytes, "its signal is always SIGPROF");
		return -COF_E_PERM;
	}
	if (getitimer(ITIMER_PROF, &now) != 0) {
		snprintf(why, bytes, "getitimer: %s", strerror(errno));
		return -COF_E_PERM;
	}
	if (now.it_value.tv_sec != 0 || now.it_value.tv_usec != 0) {
		snprintf(why, bytes, "the program uses ITIMER_PROF itself");
		return -COF_E_STATE;
	}
	it = cof_mem_alloc(sizeof(*it));
	if (!it) {
		snprintf(why, bytes, "no memory");
		return -COF_E_NOMEM;
	}
	it->before = now;
	cof_process_signal_itimer(1);
	*state = it;
	return 0;
}

static void itimer_close(void *state)
{
	struct itimer *it = state;

	setitimer(ITIMER_PROF, &it->before, NULL);
	cof_process_signal_itimer(0);
	cof_mem_free(it);
}

/* Each thread sets the period; arm the timer only if it changes. */
static void arm(struct itimer *it, uint64_t period_ns)
{
	struct itimerval v = { 0 };
	uint64_t us = period_ns / 1000u;

	if (period_ns == it->period_ns)
		return;
	it->period_ns = period_ns;
	v.it_interval.tv_sec = (time_t)(us / 1000000u);
	v.it_interval.tv_usec = (suseconds_t)(us % 1000000u);
	v.it_value = v.it_interval;
	setitimer(ITIMER_PROF, &v, NULL);
}

static int itimer_attach(void *state, struct cof_thread *t, uint64_t period_ns)
{
	struct itimer *it = state;

	(void)t;
	if (it->period_ns == 0)
		arm(it, period_ns);
	return 0;
}

static void itimer_detach(void *state, struct cof_thread *t)
{
	(void)state;
	(void)t;
}

static void itimer_set_period(void *state, struct cof_thread *t,
			      uint64_t period_ns)
{
	(void)t;
	arm(state, period_ns);
}

const struct cof_source cof_source_itimer = {
	.name = "itimer",
	.delivery = COF_DELIVERY_SIGNAL,
	.signals = true,
	.in_tick = true,
	.open = itimer_open,
	.close = itimer_close,
	.attach = itimer_attach,
	.detach = itimer_detach,
	.set_period = itimer_set_period,
};

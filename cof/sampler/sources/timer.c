/*
 * timer.c - source: a CPU timer per thread, with a signal directed to it
 *
 * A sleeping thread uses no CPU time, so the timer never wakes it. The kernel
 * checks CPU timers in its scheduler tick: this adds no interrupt, and at most
 * CONFIG_HZ samples a second come, whatever the period.
 *
 * The tick matters for short-lived threads. A thread's ticks are T of its CPU
 * time apart, and the first comes after a random part of T. The sample falls on
 * the first tick at or after the expiry F. A thread should get CPU time /
 * period samples on average, however short it lives. So its first sample has
 * to be uniform in a period P. It is if F is a random multiple of T below P:
 * F = k T gives a sample uniform in [k T, k T + T), for
 *
 *	|-----|-----|-----|-----|     each of the P / T values of k.
 *	0     T     2T    3T    P
 *
 * With F uniform in P, a thread that lives for c < T would get c^2 / 2TP
 * samples instead of c / P. If P is at most T, F is 0: each tick is a sample.
 */
#include "sampler/sources/timer.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cof.h"
#include "instance.h"
#include "sampler/sources/source.h"
#include "threads/cpu_timer.h"
#include "threads/threads.h"

uint64_t cof_timer_first(uint64_t period_ns, uint64_t tick_ns, uint64_t rnd)
{
	uint64_t at = rnd % period_ns;

	if (tick_ns > 0)
		at -= at % tick_ns;
	return at + 1;		/* 0 would disarm the timer */
}

static int make(const struct cof *cof, int tid, timer_t *timer)
{
	return cof_cpu_timer_make((int)cof->opts.signal, tid, COF_COOKIE_SAMPLE,
				  timer);
}

static int timer_open(struct cof *cof, void **state, char *why, size_t bytes)
{
	timer_t probe;

	if (make(cof, (int)gettid(), &probe) != 0) {
		snprintf(why, bytes, "timer_create: %s", strerror(errno));
		return errno == EAGAIN ? -COF_E_NOMEM : -COF_E_PERM;
	}
	timer_delete(probe);
	*state = cof;
	return 0;
}

static void timer_close(void *state)
{
	(void)state;
}

static int timer_attach(void *state, struct cof_thread *t, uint64_t period_ns)
{
	/* EAGAIN: RLIMIT_SIGPENDING counts timers. */
	if (make(state, t->tid, &t->timer) != 0)
		return -COF_E_NOMEM;
	atomic_store_explicit(&t->has_timer, true, memory_order_relaxed);
	cof_cpu_timer_arm(t->timer,
			  cof_timer_first(period_ns, cof_clock_tick_ns(),
					  t->rng),
			  period_ns);
	return 0;
}

static void timer_detach(void *state, struct cof_thread *t)
{
	(void)state;
	timer_delete(t->timer);
	atomic_store_explicit(&t->has_timer, false, memory_order_relaxed);
}

/* The next sample keeps its time, unless that is more than a period off. */
static void timer_set_period(void *state, struct cof_thread *t,
			     uint64_t period_ns)
{
	struct itimerspec now;
	uint64_t left;

	(void)state;
	if (timer_gettime(t->timer, &now) != 0)
		return;
	left = (uint64_t)now.it_value.tv_sec * 1000000000u +
	       (uint64_t)now.it_value.tv_nsec;
	if (left == 0 || left > period_ns)
		left = period_ns;
	cof_cpu_timer_arm(t->timer, left, period_ns);
}

const struct cof_source cof_source_timer = {
	.name = "timer",
	.delivery = COF_DELIVERY_SIGNAL,
	.signals = true,
	.in_tick = true,
	.open = timer_open,
	.close = timer_close,
	.attach = timer_attach,
	.detach = timer_detach,
	.set_period = timer_set_period,
};

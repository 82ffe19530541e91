/*
 * timer.h - a timer on a thread's CPU time, with a signal to that thread
 */
#ifndef COF_SAMPLER_TIMER_H
#define COF_SAMPLER_TIMER_H

#include <stdint.h>
#include <time.h>

#include "process.h"

/* 0, or -1 and errno. To be ended with timer_delete(2). */
int  cof_timer_make(int sig, int tid, enum cof_cookie cookie, timer_t *timer);

/*
 * When a thread's timer is to expire for the first time, in ns of its CPU time,
 * given a random number that is uniform. Pure; see timer.c for why.
 */
uint64_t cof_timer_first(uint64_t period_ns, uint64_t tick_ns, uint64_t rnd);

/* First after first_ns of the thread's CPU time (not 0), then every period_ns;
 * 0: once. */
void cof_timer_arm(timer_t timer, uint64_t first_ns, uint64_t period_ns);

#endif /* COF_SAMPLER_TIMER_H */

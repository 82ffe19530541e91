/*
 * timer.h - when a thread's timer expires first; the source is in source.h
 */
#ifndef COF_SAMPLER_SOURCES_TIMER_H
#define COF_SAMPLER_SOURCES_TIMER_H

#include <stdint.h>

/*
 * When a thread's timer is to expire for the first time, in ns of its CPU time,
 * given a random number that is uniform. Pure; see timer.c for why.
 */
uint64_t cof_timer_first(uint64_t period_ns, uint64_t tick_ns, uint64_t rnd);

#endif /* COF_SAMPLER_SOURCES_TIMER_H */

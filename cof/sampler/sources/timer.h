/*
 * timer.h - the first expiry of a thread's timer; the source is in source.h
 */
#pragma once

#include <stdint.h>

/*
 * The first expiry of a thread's timer, in ns of its CPU time. `tick_ns`: of
 * the scheduler, 0 if not known. `rnd`: uniform random. Pure; timer.c says why.
 */
uint64_t cof_timer_first(uint64_t period_ns, uint64_t tick_ns, uint64_t rnd);

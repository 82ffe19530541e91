/*
 * cpu_timer.h - a timer on a thread's CPU time that signals that thread
 *
 * Thread: any.
 */
#pragma once

#include <stdint.h>
#include <time.h>

#include "process/process.h"

/*
 * Make an unarmed timer, which the caller ends with timer_delete(2). 0, or -1
 * and errno.
 */
int  cof_cpu_timer_make(int sig, int tid, enum cof_cookie cookie,
			timer_t *timer);

/*
 * Signal first after first_ns (not 0) of the thread's CPU time, then after
 * every period_ns; 0: once only.
 */
void cof_cpu_timer_arm(timer_t timer, uint64_t first_ns, uint64_t period_ns);

/*
 * cpu_timer.h - a timer on a thread's CPU time, with a signal to that thread
 *
 * Thread: any.
 */
#ifndef COF_THREADS_CPU_TIMER_H
#define COF_THREADS_CPU_TIMER_H

#include <stdint.h>
#include <time.h>

#include "process/process.h"

/* 0, or -1 and errno. To be ended with timer_delete(2). */
int  cof_cpu_timer_make(int sig, int tid, enum cof_cookie cookie,
			timer_t *timer);

/* First after first_ns of the thread's CPU time (not 0), then every period_ns;
 * 0: once. */
void cof_cpu_timer_arm(timer_t timer, uint64_t first_ns, uint64_t period_ns);

#endif /* COF_THREADS_CPU_TIMER_H */

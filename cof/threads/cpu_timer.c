/*
 * cpu_timer.c - timer_create(2) with SIGEV_THREAD_ID; see cpu_timer.h
 */
#include "threads/cpu_timer.h"

#include <signal.h>

#include "base/clock.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid	/* glibc has no name for it */
#endif

int cof_cpu_timer_make(int sig, int tid, enum cof_cookie cookie, timer_t *timer)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = sig,
		.sigev_value.sival_ptr = &cof_process_signal_cookie[cookie],
	};

	event.sigev_notify_thread_id = tid;
	return timer_create(cof_clock_of_thread(tid), &event, timer);
}

void cof_cpu_timer_arm(timer_t timer, uint64_t first_ns, uint64_t period_ns)
{
	struct itimerspec it = {
		.it_value.tv_sec = (time_t)(first_ns / 1000000000u),
		.it_value.tv_nsec = (long)(first_ns % 1000000000u),
		.it_interval.tv_sec = (time_t)(period_ns / 1000000000u),
		.it_interval.tv_nsec = (long)(period_ns % 1000000000u),
	};

	timer_settime(timer, 0, &it, NULL);
}

/*
 * raise.h - raise a sampling signal without a sampler
 */
#pragma once

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/tsan.h"
#include "process/process.h"

/* Raise it for this thread, as one of libcof's timers does. 0, or negative. */
static inline int raise_as_timer(int tid, int sig)
{
	siginfo_t info = { .si_signo = sig, .si_code = SI_TIMER };
	int err;

	info.si_value.sival_ptr = &cof_process_signal_cookie[COF_COOKIE_SAMPLE];
	err = (int)syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, sig, &info);
	sched_yield();	/* valgrind has it wait until then */
	return err;
}

/* TSan puts signals off to the next call that it knows; here they come at
 * once. */
static inline void skip_under_tsan(void)
{
#ifdef COF_TSAN
	skip();
#endif
}

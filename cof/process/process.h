/*
 * process.h - what libcof does to the process: the sampling signal, and a list
 *
 * A process has one set of signal handlers, one fork and one address space,
 * however many instances of libcof are in it. All that libcof does to them is
 * in these files:
 *
 *	signals       process/process.c: the sampling signal's handler, over the
 *	              one that was there, to which it chains
 *	membarrier    process/barrier.c: the process is registered once
 *	fork          process/forked.c: a count; api/fork_hooks.c: hooks that
 *	              keep locks and code memory consistent
 *	address space codemem/code_range.c: the code range, reserved and mapped
 *	              twice
 *
 * Everything here is process-wide.
 */
#pragma once

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* What the sampling signal runs. It must be async-signal-safe. */
typedef void cof_signal_fn(int sig, siginfo_t *info, void *ucontext);

/*
 * Route `sig` to `fn` if the siginfo is of one of libcof's timers, else to the
 * handler that was installed before. A second call for the same signal only
 * counts users. Returns 0, -COF_E_PERM, or -COF_E_STATE: another signal is in
 * use already, and a process has one sampling signal.
 *
 * Remove it once every timer that may raise it is deleted. That discards
 * pending signals, so that none of them meets the default action.
 */
int  cof_process_signal_install(int sig, cof_signal_fn *fn);
void cof_process_signal_remove(int sig);

/* A fork's child: one user has stayed in the parent. The handler stays. */
void cof_process_signal_forget(int sig);

/*
 * If another handler was put over libcof's, put libcof's on top again, to chain
 * to that one, and return 1; else 0. A program that takes the signal
 * COF_SIGNAL_LEVELS times keeps it.
 */
#define COF_SIGNAL_LEVELS 4
int  cof_process_signal_check(int sig);

/*
 * The cookies that mark a timer's signal as libcof's, by their address in
 * sigev_value.sival_ptr: one for samples, one for "answer a scan, take no
 * sample" (cof_sampler_poke), one for "begin the loop in this child of a fork"
 * (sampler/child_start.h).
 */
enum cof_cookie {
	COF_COOKIE_SAMPLE, COF_COOKIE_POKE, COF_COOKIE_CHILD, COF_COOKIE_COUNT
};
extern char cof_process_signal_cookie[COF_COOKIE_COUNT];

/* Say whether the process's ITIMER_PROF is libcof's: its signals have no
 * cookie. */
void cof_process_signal_itimer(int ours);

/* Around fork(2), by api/fork_hooks.c, with all signals blocked. */
void cof_process_signal_lock(void);
void cof_process_signal_unlock(void);

/* How often the sampling signal was passed on to another handler, ever. */
uint64_t cof_process_signal_chained(void);

/*
 * process.h - everything here is process-wide
 *
 * One process has one set of signal handlers, one fork, one address space,
 * whoever embeds us and however often. All that libcof does to them is in
 * process.c, codemem/code_range.c and the files named here, and nowhere else:
 *
 *	signals       the sampling signal's handler, installed over what was
 *	              there, which is kept and chained to
 *	membarrier    registered once (process/barrier.c)
 *	fork          a count (process/forked.c), and hooks that keep locks and
 *	              code memory consistent (api/fork_hooks.h)
 *	address space the code range, reserved and mapped twice
 */
#ifndef COF_PROCESS_PROCESS_H
#define COF_PROCESS_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cof;

/* What the sampling signal runs: async-signal-safe to the letter. */
typedef void cof_signal_fn(int sig, siginfo_t *info, void *ucontext);

/*
 * Route `sig` to `fn` when the siginfo is ours (cof_process_signal_ours), and
 * to what was installed before when it is not. A second call for the same
 * signal only counts users. 0 or -COF_E_PERM, -COF_E_STATE (another signal is
 * in use already: one sampling signal per process).
 *
 * Remove once every timer that may raise it is deleted. What of it is still
 * pending is discarded, so that it cannot meet the default action.
 */
int  cof_process_signal_install(int sig, cof_signal_fn *fn);
void cof_process_signal_remove(int sig);

/*
 * If another handler was put over ours, put ours back and chain to theirs.
 * Returns 1 if that was so. A program that takes the signal again and again
 * gets it: after COF_SIGNAL_LEVELS times we leave it alone.
 */
#define COF_SIGNAL_LEVELS 4
int  cof_process_signal_check(int sig);

/*
 * The cookies that mark a timer's signal as ours, by their address in
 * sigev_value.sival_ptr: one for samples, one for "answer a scan, take no
 * sample" (cof_sampler_poke).
 */
enum cof_cookie { COF_COOKIE_SAMPLE, COF_COOKIE_POKE, COF_COOKIE_COUNT };
extern char cof_process_signal_cookie[COF_COOKIE_COUNT];

/* Is the process's ITIMER_PROF ours? Its signals carry no cookie. */
void cof_process_signal_itimer(int ours);

/* Did one of our timers raise it? Async-signal-safe. */
int  cof_process_signal_ours(const siginfo_t *info);

/* Around fork(2), by api/fork_hooks.c, all signals blocked. */
void cof_process_signal_lock(void);
void cof_process_signal_unlock(void);

/* Signals of ours passed on to another handler, ever. */
uint64_t cof_process_signal_chained(void);

#endif /* COF_PROCESS_PROCESS_H */

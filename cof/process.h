/*
 * process.h - everything here is process-wide
 *
 * One process has one set of signal handlers, one fork, one address space,
 * whoever embeds us and however often. All that libcof does to them is in
 * process.c and nowhere else:
 *
 *	signals       the sampling signal's handler, installed over what was
 *	              there, which is kept and chained to
 *	membarrier    registered once
 *	fork          hooks that keep locks and code memory consistent
 *	address space the code range, reserved and mapped twice
 *
 * fork(2) by the guest: the child keeps all code as it was, on a copy of code
 * memory of its own; its loop is off, no thread, no timer. Builds on first call
 * go on working. vfork, posix_spawn and exec need nothing.
 */
#ifndef COF_PROCESS_H
#define COF_PROCESS_H

#include <signal.h>
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
 */
int  cof_process_signal_install(int sig, cof_signal_fn *fn);
void cof_process_signal_remove(int sig);

/* If another handler was put over ours, put ours back and chain to theirs.
 * Returns 1 if that was so. */
int  cof_process_signal_check(int sig);

/* The cookie that marks a timer's signal as ours: sigev_value.sival_ptr. */
extern char cof_process_signal_cookie;

/* Signals of ours passed on to another handler, ever. */
uint64_t cof_process_signal_chained(void);

/*
 * All threads of the process execute a serializing instruction before this
 * returns; without membarrier(SYNC_CORE) in the kernel, -COF_E_PERM.
 */
int  cof_process_sync_core(void);

/* Take part in fork handling, from cof_start() to cof_free(). */
int  cof_process_fork_enter(struct cof *cof);
void cof_process_fork_leave(struct cof *cof);

/* Is this a fork's child, in which `cof` was started by the parent? */
int  cof_process_is_child(const struct cof *cof);

/* -- Address space ---------------------------------------------------------- */

/*
 * The code range: [exec, exec + bytes) read+execute, the same pages at `write`
 * read+write; behind it, still in reach, [data, data + data_bytes) plain
 * read+write memory. Nothing is backed by memory before it is touched.
 */
struct cof_range {
	char  *exec, *write, *data;
	size_t bytes, data_bytes;
	int    fd;			/* the memfd under exec and write */
};

/* 0 or -COF_E_NOMEM, -COF_E_PERM (no memfd, or no executable mappings). */
int  cof_range_map(struct cof_range *range, size_t bytes, size_t data_bytes);
void cof_range_unmap(struct cof_range *range);

/* Give [exec + offset, +bytes) back to the system; it reads as zero again. */
void cof_range_forget(struct cof_range *range, size_t offset, size_t bytes);

#endif /* COF_PROCESS_H */

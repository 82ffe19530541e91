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

/* -- Address space --------------------------------------------------------- */

/*
 * The code range: [exec, exec + bytes) read+execute, the same pages at `write`
 * read+write; behind it, still in reach, [data, data + data_bytes) plain
 * read+write memory. Nothing is backed by memory before it is touched.
 */
struct cof_code_range {
	char  *exec, *write, *data;
	size_t bytes, data_bytes;
	int    closed;			/* nothing may be written or forgotten:
					 * what is at exec is the parent's */
};

/* 0 or -COF_E_NOMEM, -COF_E_PERM (no memfd, or no executable mappings). Sizes
 * are rounded up to pages; together they must stay below 2 GiB. `near` not NULL: in
 * reach of a rel32 from there, if there is room. */
int  cof_code_range_map(struct cof_code_range *range, size_t bytes, size_t data_bytes,
		   const void *near);
void cof_code_range_unmap(struct cof_code_range *range);

/* Give [exec + offset, +bytes) back to the system; it reads as zero again. */
void cof_code_range_forget(struct cof_code_range *range, size_t offset, size_t bytes);

/* For api/fork_hooks.c: */

/*
 * Memory for a range, not in it yet: a memfd, or, where the process may not make
 * a file so large (RLIMIT_FSIZE), shared memory that is mapped somewhere.
 */
struct cof_code_pages {
	int    fd;	/* negative: no memfd */
	char  *map;	/* NULL: no shared memory */
	size_t bytes;
};

#define COF_PAGES_NONE (struct cof_code_pages){ .fd = -1 }

/* 0 or a negative cof_err. */
int  cof_code_pages_new(struct cof_code_pages *pages, size_t bytes);

/* What was put into a range stays there. */
void cof_code_pages_free(struct cof_code_pages *pages);

/* Put them under exec and write. 0 or a negative cof_err; then neither or only
 * exec was done. */
int  cof_code_range_place(const struct cof_code_range *range,
		     const struct cof_code_pages *pages);

/* Take the writable alias away: a store there faults from now on. For good. */
void cof_code_range_close(struct cof_code_range *range);

/*
 * To a copy, away from memory that a fork left to parent and child; NULL: there is
 * none. Then a child closes the range, and what the parent writes its children see:
 * it never frees code again.
 */
void cof_code_range_part(struct cof_code_range *range, const struct cof_code_pages *copy,
		    bool in_child);

/* Write [from, to) into pages of the range's size, at the same place. 0 or a
 * negative cof_err. */
int  cof_code_range_copy(const struct cof_code_range *range,
		    const struct cof_code_pages *pages, size_t from, size_t to);

#endif /* COF_PROCESS_PROCESS_H */

/*
 * scan.h - find out whether a thread is inside some code, without stopping it
 *
 * A round has a number and a sorted list of address ranges.
 *
 * A thread that runs answers for itself, in the signal handler that samples it
 * anyway. It searches its registers, then its stack: from the stack pointer,
 * less the 128 bytes below it that the ABI lets a leaf use, to the end.
 *
 * A thread that sleeps in a system call is never woken. P/O reads its stack
 * pointer from /proc/self/task/TID/syscall and its stack from memory, and
 * believes what it read only if the thread's CPU clock did not move. P/O does
 * not see the callee-saved registers of a sleeping thread. That is enough for
 * code reached by stubs and call sites: every frame in it that called something
 * has its return address on the stack. It is not enough for versions whose
 * entry was in a data slot (code.raw_reach). A sleeping thread counts as inside
 * these.
 *
 *	P/O                                handler on a guest thread
 *	write ranges, stacks               busy + 1             (E)
 *	store-release round      (A)       load-acquire round   (B)
 *	load-acquire scanned     (D)       search, mark
 *	read marks                         store-release scanned (C)
 *	store round 0            (F)       busy - 1, release    (G)
 *	load-acquire busy        (H)
 *
 * A pairs with B: a handler that sees the round sees its ranges. C pairs with
 * D: if P/O sees the answer, it sees its marks. E-B and F-H are sequentially
 * consistent: a handler that P/O does not see busy sees that the round is over,
 * so P/O may rewrite the ranges. G pairs with H. P/O does not wait for a
 * handler that is busy for long: the next round does not begin then.
 *
 * A round leaves out threads that attach during it: they cannot reach code that
 * was out of reach when it began. For the same reason one search of each thread
 * is enough, at any time in the round: no thread can enter.
 *
 * A thread on a listed stack answers for that stack from its stack pointer on,
 * and for its own stack as a whole. When the threads are done, P/O searches the
 * listed stacks that no thread answered for. It searches them as a whole, also
 * below the part in use: the return address of a fiber's last call is still
 * there if the fiber has moved to another thread meanwhile.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cof;
struct cof_thread;

struct cof_scan_range {
	uintptr_t    lo, hi;
	_Atomic bool inside;	/* a thread may be */
	bool         raw;	/* any sleeping thread counts as inside */
};

struct cof_scan_stack {
	uintptr_t    lo, hi;
	_Atomic bool searched;		/* by a thread on it */
};

struct cof_scan_stacks {
	struct cof_scan_stack *stack;	/* sorted by lo */
	uint32_t               n, allocated;
};

struct cof_scan {
	_Atomic uint64_t       round;	/* its number; 0: none is open */
	_Atomic uint32_t       busy;	/* handlers that search */

	/* P/O's, constant in a round. But handlers and P/O set `inside` and
	 * `searched` of the elements: C and D. */
	struct cof_scan_range *range;	/* sorted by lo, disjoint */
	uint32_t               n;
	struct cof_scan_stacks known;	/* listed when the round began */

	/* Set by handlers and P/O in a round. */
	_Atomic bool           foreign;	/* a thread is on no known stack */

	/* P/O's. */
	uint64_t               last;	/* number of the last round */
	uint32_t               allocated;	/* elements of range */
	struct cof_scan_thread *thread;	/* attached when the round began */
	uint32_t               n_threads, allocated_threads;
	bool                   any_remote;	/* searched a sleeping thread */
	struct cof_scan_stacks now;	/* listed when the threads were done */
	uintptr_t             *copy;	/* buffer that stacks are read into */
};

/* 0 or -COF_E_NOMEM. */
int  cof_scan_init(struct cof_scan *scan);
void cof_scan_free(struct cof_scan *scan);

/* Mark the ranges that a word in [from, to) points into. Pure. */
void cof_scan_words(struct cof_scan *scan, const void *from, const void *to);

/*
 * Answer an open round, if there is one, for the calling thread. The sampling
 * handler calls it with its ucontext. Async-signal-safe.
 */
void cof_scan_answer(struct cof_scan *scan, struct cof_thread *self,
		     const void *ucontext);

/*
 * P/O: run a round over range[0..n), which may be in any order and may overlap.
 * Waits up to wait_ns for threads that run. True: all threads were searched,
 * and range[].inside is the answer. False: a thread is on a stack that is not
 * listed (scan->foreign), or did not answer in time, or there is no memory.
 */
bool cof_scan_round(struct cof *cof, struct cof_scan *scan,
		    struct cof_scan_range *range, uint32_t n,
		    uint64_t wait_ns);

/* The instance's scan, for the handler; NULL: there is none yet. */
struct cof_scan *cof_reclaim_scan(struct cof *cof);

/* -- Between scan.c, scan_round.c and scan_remote.c ------------------------ */

#define COF_SCAN_COPY_BYTES 65536u

/*
 * A thread that was attached when the round began. `t` is valid if it still is.
 */
struct cof_scan_thread {
	struct cof_thread *t;
	uintptr_t          lo, hi;
	int                tid;
	bool               done, seen, poked;
};

/*
 * P/O: search [lo, hi). Pages that are not mapped any more are skipped. False:
 * memory cannot be read at all.
 */
bool cof_scan_remote_memory(struct cof_scan *scan, uintptr_t lo, uintptr_t hi);

/*
 * P/O: search a thread that sleeps. False: it did not sleep in one place
 * meanwhile, or cannot be read. A mark made for such a thread just keeps some
 * code for another round.
 */
bool cof_scan_remote(struct cof_scan *scan,
		     const struct cof_scan_thread *thread);

/* P/O: has the thread ended, without having detached? */
bool cof_scan_is_gone(int tid);

/* The last range that starts at or below `word`; the first starts there too. */
uint32_t cof_scan_range_below(const struct cof_scan *scan, uintptr_t word);
void cof_scan_mark(struct cof_scan_range *range);

/* The stack that holds `at`, or NULL. */
struct cof_scan_stack *cof_scan_stack_of(const struct cof_scan_stacks *stacks,
					 uintptr_t at);
void cof_scan_stack_done(struct cof_scan_stack *stack);

/*
 * The lowest word that a frame with this sp uses, on a stack that begins at lo.
 */
uintptr_t cof_scan_used_from(uintptr_t sp, uintptr_t lo);

/*
 * The lowest word that can be read of a stack whose sp is not known: its lower
 * pages may not be mapped. At or above hi: nothing can be read.
 */
uintptr_t cof_scan_there_from(uintptr_t lo, uintptr_t hi);

/* -- The platform's part: scan_x86_64.c ------------------------------------ */

#define COF_SCAN_REDZONE 128	/* bytes below sp that a leaf uses (SysV ABI) */
#define COF_SCAN_REGS    (17 + 2 * 16)

/*
 * Store the general registers, pc, and the xmm registers, to which compilers
 * spill, of a ucontext. Returns sp. Async-signal-safe.
 */
uintptr_t cof_scan_registers(const void *ucontext,
			     uintptr_t reg[COF_SCAN_REGS]);

/*
 * Copy memory of this process that may not be mapped. Returns the bytes read,
 * or a negative errno: -EFAULT if nothing is mapped at `from`.
 * Async-signal-safe.
 */
long cof_scan_copy(void *to, uintptr_t from, size_t bytes);

/*
 * The lowest page start in [lo, hi) from which on all can be read, or hi.
 * Async-signal-safe.
 */
uintptr_t cof_scan_readable(uintptr_t lo, uintptr_t hi);

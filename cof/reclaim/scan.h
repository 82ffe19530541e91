/*
 * scan.h - is anybody inside this code? Asked without stopping anyone
 *
 * A round has a number and a sorted list of address ranges. A thread that runs
 * answers for itself, in the signal handler that samples it anyway: registers,
 * then its stack from the stack pointer (less the 128 bytes below it that the
 * ABI lets a leaf use) to its end. A thread that sleeps in a system call cannot
 * run meanwhile, and is never woken: P/O reads its stack pointer from
 * /proc/self/task/TID/syscall and its stack from memory, and believes what it
 * read only if the thread's CPU clock did not move. Callee-saved registers of a
 * sleeping thread are out of sight; that is enough for code reached by stubs and
 * call sites, whose every frame below has its return address on the stack, and
 * not enough for versions whose entry was in a data slot (code.raw_reach):
 * for those a sleeper counts as inside.
 *
 *	P/O                                handler on a guest thread
 *	write ranges, stacks               busy + 1             (E)
 *	store-release round      (A)       load-acquire round   (B)
 *	load-acquire scanned     (D)       search, mark
 *	read marks                         store-release scanned (C)
 *	store round 0            (F)       busy - 1, release    (G)
 *	load-acquire busy        (H)
 *
 * A pairs with B: who sees the round sees its ranges. C pairs with D: P/O that
 * sees the answer sees its marks. E-B and F-H are sequentially consistent: a
 * handler that P/O does not see busy sees that the round is over, so P/O may
 * rewrite the ranges; G pairs with H. A handler that is busy for long is not
 * waited for: the next round then does not begin.
 *
 * Threads that attach during a round are left out of it: code that was out of
 * reach when the round began is out of their reach. The same is why one search
 * of each thread is enough, at whatever time in the round: none can come in.
 *
 * A thread on a listed stack answers for that stack from its stack pointer on,
 * and for its own stack as a whole. Listed stacks that no thread answered for
 * are searched as a whole by P/O when the threads are done, also below where
 * they are used: a fiber that moved between threads meanwhile is still found
 * there by the return address of its last call.
 */
#ifndef COF_RECLAIM_SCAN_H
#define COF_RECLAIM_SCAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cof;
struct cof_thread;

struct cof_scan_range {
	uintptr_t    lo, hi;
	_Atomic bool inside;	/* somebody may be */
	bool         raw;	/* a sleeper counts as inside */
};

struct cof_scan_stack {
	uintptr_t    lo, hi;
	_Atomic bool searched;		/* by a thread that was on it */
};

struct cof_scan_stacks {
	struct cof_scan_stack *stack;	/* sorted by lo */
	uint32_t               n, room;
};

struct cof_scan {
	_Atomic uint64_t       round;	/* its number; 0: none is open */
	_Atomic uint32_t       busy;	/* handlers that search */

	/* P/O's, constant in a round but for what is atomic in the elements:
	 * handlers and P/O set `inside` and `searched`, see C and D. */
	struct cof_scan_range *range;	/* sorted by lo, disjoint */
	uint32_t               n;
	struct cof_scan_stacks known;	/* listed when it began */

	/* Set by handlers and P/O in a round. */
	_Atomic bool           foreign;	/* somebody is on no known stack */

	/* P/O's. */
	uint64_t               last;	/* number of the last round */
	uint32_t               room;	/* of range */
	struct cof_scan_thread *thread;	/* as of the round's begin */
	uint32_t               n_threads, room_threads;
	bool                   slept;	/* one was searched asleep */
	struct cof_scan_stacks now;	/* listed when the threads were done */
	uintptr_t             *copy;	/* where stacks are read into */
};

/* 0 or -COF_E_NOMEM. */
int  cof_scan_init(struct cof_scan *scan);
void cof_scan_free(struct cof_scan *scan);

/* Mark the ranges that a word in [from, to) points into. Pure. */
void cof_scan_words(struct cof_scan *scan, const void *from, const void *to);

/*
 * Answer an open round, if there is one, for the calling thread. Async-signal-
 * safe: called by the sampling handler with its ucontext.
 */
void cof_scan_answer(struct cof_scan *scan, struct cof_thread *self,
		     const void *ucontext);

/*
 * P/O: run a round over range[0..n), in any order and overlapping as they may,
 * waiting up to wait_ns for threads that run. True if everybody was searched:
 * then range[].inside is the answer. False: scan->foreign says whether that was
 * for a stack nobody listed; else somebody did not answer in time.
 */
bool cof_scan_round(struct cof *cof, struct cof_scan *scan,
		  struct cof_scan_range *range, uint32_t n, uint64_t wait_ns);

/* The instance's scan, for the handler; NULL: not there yet. */
struct cof_scan *cof_reclaim_scan(struct cof *cof);

/* -- Between scan.c, scan_round.c and scan_remote.c ------------------------------- */

#define COF_SCAN_COPY_BYTES 65536u

/* A thread that was attached when the round began. `t` only if it still is. */
struct cof_scan_thread {
	struct cof_thread *t;
	uintptr_t          lo, hi;
	int                tid;
	bool               done, seen, poked;
};

/*
 * P/O: search [lo, hi), which need not be there any more. Pages that are not
 * there hold nothing. False: it cannot be read at all.
 */
bool cof_scan_remote_memory(struct cof_scan *scan, uintptr_t lo, uintptr_t hi);

/*
 * P/O: did the thread sleep in one place while its stack was read? A mark made
 * for one that did not keeps some code for another round, no more.
 */
bool cof_scan_remote(struct cof_scan *scan,
		     const struct cof_scan_thread *thread);

/* The last range that starts at or below `word`, which is above the first. */
uint32_t cof_scan_range_below(const struct cof_scan *scan, uintptr_t word);
void cof_scan_mark(struct cof_scan_range *range);

/* The stack that holds `at`, or NULL. */
struct cof_scan_stack *cof_scan_stack_of(const struct cof_scan_stacks *stacks,
					 uintptr_t at);
void cof_scan_stack_done(struct cof_scan_stack *stack);

/* Where on a stack from `lo` on what a frame with this sp uses begins. */
uintptr_t cof_scan_used_from(uintptr_t sp, uintptr_t lo);

/* Where a stack begins whose sp is not known: below some page it may not be
 * there. At or above hi: it cannot be read. */
uintptr_t cof_scan_there_from(uintptr_t lo, uintptr_t hi);

/* -- The platform's part: scan_x86_64.c ------------------------------------- */

#define COF_SCAN_REDZONE 128	/* bytes below sp that a leaf uses (SysV ABI) */
#define COF_SCAN_REGS    (17 + 2 * 16)

/*
 * General registers, pc and xmm registers (compilers spill to them) of a
 * ucontext. Returns sp. Async-signal-safe.
 */
uintptr_t cof_scan_registers(const void *ucontext,
			     uintptr_t reg[COF_SCAN_REGS]);

/*
 * Copy memory of this process that may not be there. Returns the bytes read, or
 * a negative errno: -EFAULT if there is nothing at `from`. Async-signal-safe.
 */
long cof_scan_copy(void *to, uintptr_t from, size_t bytes);

/* The lowest page start in [lo, hi) from which on all is there, or hi. Same. */
uintptr_t cof_scan_readable(uintptr_t lo, uintptr_t hi);

#endif /* COF_RECLAIM_SCAN_H */

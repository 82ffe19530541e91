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
 * not enough for versions whose entry was in a data slot (method->raw_reach):
 * for those a sleeper counts as inside.
 *
 *	P/O                                handler on a guest thread
 *	write ranges                       load-acquire round     (B)
 *	store-release round      (A)       search, mark
 *	load-acquire scanned     (D)       store-release scanned  (C)
 *	read marks
 *
 * A pairs with B: who sees the round sees its ranges. C pairs with D: P/O that
 * sees the answer sees its marks.
 */
#ifndef COF_PATCHER_SCAN_H
#define COF_PATCHER_SCAN_H

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

struct cof_scan {
	_Atomic uint64_t       round;	/* 0: never asked */
	struct cof_scan_range *range;	/* sorted by lo; constant in a round */
	uint32_t               n;
	_Atomic bool           foreign;	/* a stack pointer was on no known stack */
};

/* Mark the ranges that a word in [from, to) points into. Pure. */
void cof_scan_words(struct cof_scan *scan, const void *from, const void *to);

/*
 * Answer an open round, if there is one, for the calling thread. Async-signal-
 * safe: called by the sampling handler with its ucontext.
 */
void cof_scan_answer(struct cof_scan *scan, struct cof_thread *self,
		     const void *ucontext);

/*
 * P/O: run a round over range[0..n), waiting up to wait_ns for threads that run.
 * True if everybody was searched: then range[].inside is the answer.
 */
bool cof_scan_run(struct cof *cof, struct cof_scan_range *range, uint32_t n,
		  uint64_t wait_ns);

/* The instance's scan, for the handler. */
struct cof_scan *cof_scan_of(struct cof *cof);

#endif /* COF_PATCHER_SCAN_H */

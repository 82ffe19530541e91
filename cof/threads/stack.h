/*
 * stack.h - the return addresses below a sample
 *
 * The signal handler walks the stack by two means:
 *
 *	the pc is in code with unwind tables   by its CFI (unwind.h)
 *	else                                   by frame pointers
 *
 * In code compiled without frame pointers these are a guess: the chain may skip
 * frames, or end. But every load lies between the stack pointer and the end of
 * the thread's stack, and every step goes up, so no access faults. A thread on
 * another stack gets no frames.
 */
#pragma once

#include <stdint.h>
#include <ucontext.h>

struct cof_thread;

#define COF_STACK_DEPTH_MAX 64u	/* option stack_depth's bound */

/*
 * Store at most `max` return addresses, innermost first; returns their number.
 * `t` is the calling thread, `uc` its interrupted context. Async-signal-safe.
 */
uint64_t cof_stack_walk(const struct cof_thread *t, const ucontext_t *uc,
			uint64_t *out, uint64_t max);

/* One frame, as far as a walk needs it. */
struct cof_frame {
	uint64_t pc, sp, fp;
};

/*
 * Step to the caller by frame pointer, loading from [f->sp, hi) only. Returns
 * 1, or 0 where the chain ends. Pure.
 */
int cof_stack_step(struct cof_frame *f, uint64_t hi);

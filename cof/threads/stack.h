/*
 * stack.h - the return addresses below a sample
 *
 * Walked in the signal handler, by two means:
 *
 *	the pc is in code with unwind tables   by its CFI (unwind.h)
 *	else                                   by frame pointers
 *
 * Frame pointers are a guess where code was compiled without them: the chain
 * may skip frames there, or end. What cannot happen is a bad access: every load
 * lies between the stack pointer and the end of the thread's stack, and every
 * step goes up. A thread that runs on another stack gets no frames.
 */
#ifndef COF_THREADS_STACK_H
#define COF_THREADS_STACK_H

#include <stdint.h>
#include <ucontext.h>

struct cof_thread;

#define COF_STACK_DEPTH_MAX 64u	/* option stack_depth's bound */

/*
 * At most `max` return addresses, innermost first. Async-signal-safe; on the
 * thread itself, of a context that was interrupted on it.
 */
uint64_t cof_stack_walk(const struct cof_thread *t, const ucontext_t *uc,
			uint64_t *out, uint64_t max);

/* One frame, as far as a walk needs it. */
struct cof_frame {
	uint64_t pc, sp, fp;
};

/*
 * To the caller by frame pointer, loading from [f->sp, hi) only. Returns 1, or
 * 0 where the chain ends. Pure.
 */
int cof_stack_step(struct cof_frame *f, uint64_t hi);

#endif /* COF_THREADS_STACK_H */

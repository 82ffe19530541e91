/*
 * stack.c - walk a stack from a signal handler; see stack.h
 */
#include "threads/stack.h"

#include <stdbool.h>

#include "threads/threads.h"
#include "threads/unwind.h"

/*
 * The frame of code with frame pointers (System V ABI, x86-64, 3.2.2):
 *
 *	fp + 8   return address
 *	fp       the caller's fp
 *
 * In a prologue, or in a leaf without a frame, fp is still the caller's. The
 * walk then begins one frame too high and skips the caller.
 */
__attribute__((no_sanitize("address")))
int cof_stack_step(struct cof_frame *f, uint64_t hi)
{
	const uint64_t *at;

	if (f->fp % 8 != 0 || f->fp < f->sp || f->fp >= hi || hi - f->fp < 16)
		return 0;
	at = (const uint64_t *)(uintptr_t)f->fp;
	if (at[1] == 0)
		return 0;
	f->sp = f->fp + 16;
	f->fp = at[0];
	f->pc = at[1];
	return 1;
}

uint64_t cof_stack_walk(const struct cof_thread *t, const ucontext_t *uc,
			uint64_t *out, uint64_t max)
{
	struct cof_frame f = {
		.pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP],
		.sp = (uint64_t)uc->uc_mcontext.gregs[REG_RSP],
		.fp = (uint64_t)uc->uc_mcontext.gregs[REG_RBP],
	};
	bool call = false;	/* is pc a return address? */
	uint64_t n = 0;
	int step;

	if (f.sp < t->stack_lo || f.sp >= t->stack_hi)
		return 0;
	while (n < max) {
		step = cof_unwind_step(&f, call, t->stack_hi);
		if (step < 0 || (step == 0 && !cof_stack_step(&f, t->stack_hi)))
			break;
		out[n++] = f.pc;
		call = true;
	}
	return n;
}

/*
 * scan.c - search words for addresses; answer for the calling thread
 */
#include "reclaim/scan.h"

#include "base/units.h"
#include "cof.h"
#include "memory/mem.h"
#include "threads/threads.h"

#define WORD sizeof(uintptr_t)

/* -- Searching ------------------------------------------------------------- */

uint32_t cof_scan_range_below(const struct cof_scan *scan, uintptr_t word)
{
	uint32_t lo = 0, hi = scan->n;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (scan->range[mid].lo <= word)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

void cof_scan_mark(struct cof_scan_range *range)
{
	atomic_store_explicit(&range->inside, true, memory_order_relaxed);
}

/*
 * Stacks are read as words, whatever a sanitizer knows about the variables in
 * them. Nearly no word is near the ranges, so that is checked first.
 *
 * The address just behind a range counts as in it: the last instruction may be
 * a call that does not return.
 */
__attribute__((no_sanitize("address"), no_sanitize("thread")))
void cof_scan_words(struct cof_scan *scan, const void *from, const void *to)
{
	uintptr_t lo = scan->range[0].lo;
	uintptr_t span = scan->range[scan->n - 1].hi - lo;

	for (const uintptr_t *w = from; w < (const uintptr_t *)to; w++) {
		struct cof_scan_range *r;

		if (*w - lo > span)
			continue;
		r = &scan->range[cof_scan_range_below(scan, *w)];
		if (*w <= r->hi)
			cof_scan_mark(r);
		if (r > scan->range && r[-1].hi == *w)
			cof_scan_mark(&r[-1]);
	}
}

struct cof_scan_stack *cof_scan_stack_of(const struct cof_scan_stacks *stacks,
					 uintptr_t at)
{
	uint32_t lo = 0, hi = stacks->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		struct cof_scan_stack *s = &stacks->stack[mid];

		if (at < s->lo)
			hi = mid;
		else if (at >= s->hi)
			lo = mid + 1;
		else
			return s;
	}
	return NULL;
}

void cof_scan_stack_done(struct cof_scan_stack *stack)
{
	atomic_store_explicit(&stack->searched, true, memory_order_relaxed);
}

uintptr_t cof_scan_used_from(uintptr_t sp, uintptr_t lo)
{
	uintptr_t from = sp - lo > COF_SCAN_REDZONE ? sp - COF_SCAN_REDZONE
						    : lo;

	return (from + WORD - 1) & ~(WORD - 1);
}

uintptr_t cof_scan_there_from(uintptr_t lo, uintptr_t hi)
{
	uintptr_t from = cof_scan_readable(lo, hi);

	return ((from > lo ? from : lo) + WORD - 1) & ~(WORD - 1);
}

/* -- The handler's side ---------------------------------------------------- */

/*
 * If the stack is all but used up and the handler runs on another one, the red
 * zone may begin on a page below that is not mapped.
 */
static const void *frames_from(uintptr_t sp, uintptr_t lo)
{
	uintptr_t from = cof_scan_used_from(sp, lo), word;

	if (from / COF_PAGE_BYTES != sp / COF_PAGE_BYTES &&
	    cof_scan_copy(&word, from, WORD) != (long)WORD)
		from = (sp + WORD - 1) & ~(WORD - 1);
	return (const void *)from;
}

/* False: sp is on no known stack, or the thread's own stack cannot be read. */
static bool search_self(struct cof_scan *scan, const struct cof_thread *self,
			const void *ucontext)
{
	uintptr_t reg[COF_SCAN_REGS];
	uintptr_t sp = cof_scan_registers(ucontext, reg);
	uintptr_t lo = self->stack_lo, hi = self->stack_hi & ~(WORD - 1);
	struct cof_scan_stack *stack;

	cof_scan_words(scan, reg, reg + COF_SCAN_REGS);
	if (sp >= lo && sp < hi) {
		cof_scan_words(scan, frames_from(sp, lo), (const void *)hi);
		return true;
	}
	stack = cof_scan_stack_of(&scan->known, sp);
	if (!stack)
		return false;
	cof_scan_words(scan, frames_from(sp, stack->lo),
		       (const void *)(stack->hi & ~(WORD - 1)));
	cof_scan_stack_done(stack);
	lo = cof_scan_there_from(lo, hi);
	cof_scan_words(scan, (const void *)lo, (const void *)hi);
	return lo < hi;
}

void cof_scan_answer(struct cof_scan *scan, struct cof_thread *self,
		     const void *ucontext)
{
	uint64_t round = atomic_load_explicit(&scan->round,
					      memory_order_relaxed);
	uint64_t scanned = atomic_load_explicit(&self->scanned,
						memory_order_relaxed);

	if (round == 0 || round == scanned)
		return;
	atomic_fetch_add(&scan->busy, 1);	/* E */
	round = atomic_load(&scan->round);	/* B */
	if (round != 0 && round != scanned) {
		if (!search_self(scan, self, ucontext))
			atomic_store_explicit(&scan->foreign, true,
					      memory_order_relaxed);
		atomic_store_explicit(&self->scanned, round,
				      memory_order_release);	/* C */
	}
	atomic_fetch_sub_explicit(&scan->busy, 1, memory_order_release); /* G */
}

/* -- Life ------------------------------------------------------------------ */

int cof_scan_init(struct cof_scan *scan)
{
	scan->copy = cof_mem_alloc(COF_SCAN_COPY_BYTES);
	return scan->copy ? 0 : -COF_E_NOMEM;
}

void cof_scan_free(struct cof_scan *scan)
{
	cof_mem_free(scan->range);
	cof_mem_free(scan->known.stack);
	cof_mem_free(scan->now.stack);
	cof_mem_free(scan->thread);
	cof_mem_free(scan->copy);
}

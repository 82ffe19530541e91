/*
 * handler.c - the sampling handler; see handler.h
 */
#include "sampler/handler.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <x86intrin.h>

#include "instance.h"
#include "process/process.h"
#include "reclaim/scan.h"
#include "sampler/child_start.h"
#include "threads/pending.h"
#include "threads/stack.h"
#include "threads/threads.h"

/*
 * A thread with its own timer takes no sample when a signal of the process's
 * ITIMER_PROF hits it: that timer serves the threads that got none.
 */
static bool is_sample(const struct cof_thread *t, const siginfo_t *info)
{
	if (info->si_code != SI_TIMER)
		return !atomic_load_explicit(&t->has_timer,
					     memory_order_relaxed) &&
		       atomic_load_explicit(&t->sampled, memory_order_relaxed);
	return info->si_value.sival_ptr ==
	       &cof_process_signal_cookie[COF_COOKIE_SAMPLE];
}

static uint64_t pc_of(const ucontext_t *uc)
{
	return (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
}

/*
 * An alternate stack has a handler's frames, which end. Any other stack is a
 * fiber's, and where there is one there are more, which wait: they may have
 * frames of any version (reclaim/reclaim.c).
 */
static void look_at_stack(struct cof *cof, const struct cof_thread *t,
			  const ucontext_t *uc)
{
	const stack_t *alternate = &uc->uc_stack;
	uintptr_t sp = (uintptr_t)uc->uc_mcontext.gregs[REG_RSP];

	if (sp - t->stack_lo < t->stack_hi - t->stack_lo)
		return;
	if (!(alternate->ss_flags & SS_DISABLE) &&
	    sp - (uintptr_t)alternate->ss_sp < alternate->ss_size)
		return;
	atomic_store_explicit(&cof->threads->on_other_stack, true,
			      memory_order_relaxed);
}

static void take(struct cof *cof, struct cof_thread *t, const ucontext_t *uc)
{
	uint64_t rec[1 + COF_STACK_DEPTH_MAX];
	uint64_t n = 1;
	uint32_t depth = cof->opts.stack_depth;

	rec[0] = pc_of(uc);
	if (depth > 0)
		n += cof_stack_walk(t, uc, rec + 1, depth);
	cof_count_add(&t->taken, 1);
	if (cof_ring_push(&t->ring, rec, n))
		cof_count_add(&t->frames, n - 1);
	else
		cof_count_add(&t->ring_full, 1);
	cof_pending_put(cof->threads, t);
}

static void serve(struct cof *cof, struct cof_thread *t, const siginfo_t *info,
		  void *ucontext)
{
	uint64_t start = __rdtsc();
	struct cof_scan *scan;

	look_at_stack(cof, t, ucontext);
	if (is_sample(t, info))
		take(cof, t, ucontext);
	scan = cof_reclaim_scan(cof);
	if (scan)
		cof_scan_answer(scan, t, ucontext);
	cof_count_add(&t->handler_tsc, __rdtsc() - start);
}

/* It is not called while it runs (process.c), so `busy` need not count. */
void cof_handler(int sig, siginfo_t *info, void *ucontext)
{
	struct cof_thread *t = atomic_load_explicit(&cof_thread_self,
						    memory_order_relaxed);
	const ucontext_t *uc = ucontext;
	struct cof *cof;

	(void)sig;
	if (!t)
		return;
	atomic_store(&t->busy, true);		/* A */
	cof = atomic_load(&t->live);		/* B */
	if (cof)
		serve(cof, t, info, ucontext);
	else if (cof_child_start_is(info))
		cof_child_start_look(t, pc_of(uc), &uc->uc_sigmask);
	atomic_store_explicit(&t->busy, false, memory_order_release);	/* E */
}

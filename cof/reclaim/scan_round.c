/*
 * scan_round.c - a round: running threads answer, sleeping ones are read
 */
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/role.h"
#include "instance.h"
#include "memory/mem.h"
#include "reclaim/scan.h"
#include "threads/poke.h"
#include "threads/threads.h"

#define WORD        sizeof(uintptr_t)
#define NAP_NS      50000u	/* between looks at the answers; doubles */
#define NAP_MAX_NS  2000000u

/* -- P/O's side: a round --------------------------------------------------- */

static int by_lo(const void *a, const void *b)
{
	uintptr_t x = ((const struct cof_scan_range *)a)->lo;
	uintptr_t y = ((const struct cof_scan_range *)b)->lo;

	return (x > y) - (x < y);
}

static int by_stack(const void *a, const void *b)
{
	uintptr_t x = ((const struct cof_scan_stack *)a)->lo;
	uintptr_t y = ((const struct cof_scan_stack *)b)->lo;

	return (x > y) - (x < y);
}

static int by_thread(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct cof_scan_thread *)a)->t;
	uintptr_t y = (uintptr_t)((const struct cof_scan_thread *)b)->t;

	return (x > y) - (x < y);
}

/* Copy the ranges and sort them; those that overlap become one. */
static bool take_ranges(struct cof_scan *scan,
			const struct cof_scan_range *range, uint32_t n)
{
	struct cof_scan_range *to;
	uint32_t m = 0;

	if (!cof_mem_reserve(&scan->range, &scan->allocated, n, sizeof(*to)))
		return false;
	to = scan->range;
	for (uint32_t i = 0; i < n; i++) {
		to[i].lo = range[i].lo;
		to[i].hi = range[i].hi;
		to[i].raw = range[i].raw;
		atomic_store_explicit(&to[i].inside, false,
				      memory_order_relaxed);
	}
	qsort(to, n, sizeof(*to), by_lo);
	for (uint32_t i = 1; i < n; i++) {
		if (to[i].lo >= to[m].hi) {
			to[++m] = to[i];
			continue;
		}
		if (to[i].hi > to[m].hi)
			to[m].hi = to[i].hi;
		to[m].raw |= to[i].raw;
	}
	scan->n = m + 1;
	return true;
}

static uint32_t count_stacks(const struct cof_threads *threads)
{
	uint32_t n = 0;

	for (const struct cof_stack *s = threads->stacks; s; s = s->next)
		n++;
	return n;
}

static bool copy_stacks(struct cof_scan_stacks *to,
			const struct cof_threads *threads)
{
	if (!cof_mem_reserve(&to->stack, &to->allocated,
			     count_stacks(threads), sizeof(*to->stack)))
		return false;
	to->n = 0;
	for (const struct cof_stack *s = threads->stacks; s; s = s->next)
		to->stack[to->n++] = (struct cof_scan_stack){ s->lo, s->hi, 0 };
	return true;
}

static void sort_stacks(struct cof_scan_stacks *stacks)
{
	if (stacks->n > 0)
		qsort(stacks->stack, stacks->n, sizeof(*stacks->stack),
		      by_stack);
}

static bool copy_threads(struct cof_scan *scan,
			 const struct cof_threads *threads)
{
	uint32_t n = 0;

	if (!cof_mem_reserve(&scan->thread, &scan->allocated_threads,
			     threads->n, sizeof(*scan->thread)))
		return false;
	for (struct cof_thread *t = threads->list; t; t = t->next)
		if (!t->gone)
			scan->thread[n++] = (struct cof_scan_thread){
				.t = t, .tid = t->tid,
				.lo = t->stack_lo, .hi = t->stack_hi,
			};
	scan->n_threads = n;
	return true;
}

/* False: no memory, or a handler is still in an earlier round, or a thread that
 * may be in code has not attached. */
static bool open_round(struct cof *cof, struct cof_scan *scan,
		       const struct cof_scan_range *range, uint32_t n)
{
	struct cof_threads *threads = cof->threads;
	bool ok;

	if (atomic_load(&scan->busy) != 0)	/* H */
		return false;
	if (!take_ranges(scan, range, n))
		return false;
	pthread_mutex_lock(&threads->lock);
	ok = threads->expected == 0 && copy_stacks(&scan->known, threads) &&
	     copy_threads(scan, threads);
	pthread_mutex_unlock(&threads->lock);
	if (!ok)
		return false;
	sort_stacks(&scan->known);
	if (scan->n_threads > 0)
		qsort(scan->thread, scan->n_threads, sizeof(*scan->thread),
		      by_thread);
	scan->any_remote = false;
	atomic_store_explicit(&scan->round, ++scan->last,
			      memory_order_release);	/* A */
	return true;
}

/*
 * Note which threads have answered and which are still attached. If `poke`,
 * have those that run and have not answered run the handler.
 */
static void look_at_answers(struct cof *cof, struct cof_scan *scan, bool poke)
{
	struct cof_threads *threads = cof->threads;

	pthread_mutex_lock(&threads->lock);
	for (struct cof_thread *t = threads->list; t; t = t->next) {
		struct cof_scan_thread key = { .t = t }, *thread;

		if (t->gone || scan->n_threads == 0)
			continue;
		thread = bsearch(&key, scan->thread, scan->n_threads,
				 sizeof(key), by_thread);
		if (!thread || thread->done)
			continue;
		thread->seen = true;
		thread->done = atomic_load_explicit(&t->scanned,
				memory_order_acquire) == scan->last;	/* D */
		if (!thread->done && poke && !thread->poked)
			thread->poked = cof_poke(cof, t) == 0;
	}
	pthread_mutex_unlock(&threads->lock);
}

/* It reads files of /proc, so it runs with private descriptors. */
static void search_sleeping(void *arg)
{
	struct cof_scan *scan = arg;

	for (uint32_t i = 0; i < scan->n_threads; i++) {
		struct cof_scan_thread *thread = &scan->thread[i];

		if (thread->done)
			continue;
		if (cof_scan_remote(scan, thread))
			thread->done = scan->any_remote = true;
		else	/* ended, and never detached */
			thread->done = cof_scan_is_gone(thread->tid);
	}
}

static uint32_t still_left(const struct cof_scan *scan)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < scan->n_threads; i++)
		left += !scan->thread[i].done;
	return left;
}

/* Returns how many threads are still to be searched. */
static uint32_t look_at_threads(struct cof *cof, struct cof_scan *scan,
				bool poke)
{
	for (uint32_t i = 0; i < scan->n_threads; i++)
		scan->thread[i].seen = false;
	look_at_answers(cof, scan, poke);
	for (uint32_t i = 0; i < scan->n_threads; i++)
		if (!scan->thread[i].seen)	/* detached: in no version */
			scan->thread[i].done = true;
	if (still_left(scan) > 0)
		cof_call_with_private_files(cof, search_sleeping, scan);
	return still_left(scan);
}

static bool is_foreign(const struct cof_scan *scan)
{
	return atomic_load_explicit((_Atomic bool *)&scan->foreign,
				    memory_order_relaxed);
}

/* Pokes after a third of the time, which is enough for signals to come. */
static bool wait_for_threads(struct cof *cof, struct cof_scan *scan,
			     uint64_t wait_ns)
{
	uint64_t begin_ns = cof_clock_ns(), nap_ns = NAP_NS;

	for (;;) {
		uint64_t ns = cof_clock_ns() - begin_ns;
		struct timespec nap = { 0 };

		if (look_at_threads(cof, scan, ns >= wait_ns / 3) == 0)
			return !is_foreign(scan);
		if (ns >= wait_ns || is_foreign(scan))
			return false;
		nap.tv_nsec = (long)nap_ns;
		nanosleep(&nap, NULL);
		if (nap_ns < NAP_MAX_NS)
			nap_ns *= 2;
	}
}

/* The callee-saved registers of a sleeping thread cannot be seen. */
static void mark_raw(struct cof_scan *scan)
{
	for (uint32_t i = 0; i < scan->n; i++)
		if (scan->range[i].raw)
			cof_scan_mark(&scan->range[i]);
}

static bool was_searched(const struct cof_scan *scan,
			 const struct cof_scan_stack *stack)
{
	struct cof_scan_stack *then = cof_scan_stack_of(&scan->known,
							stack->lo);

	return then && then->lo == stack->lo && then->hi == stack->hi &&
	       atomic_load_explicit(&then->searched, memory_order_relaxed);
}

/* The stacks listed now: some may be new, and some may be gone. */
static bool search_stacks(struct cof *cof, struct cof_scan *scan)
{
	struct cof_scan_stacks *now = &scan->now;
	bool ok;

	pthread_mutex_lock(&cof->threads->lock);
	ok = copy_stacks(now, cof->threads);
	pthread_mutex_unlock(&cof->threads->lock);
	for (uint32_t i = 0; ok && i < now->n; i++) {
		const struct cof_scan_stack *s = &now->stack[i];

		if (!was_searched(scan, s))
			ok = cof_scan_remote_memory(
				scan, (s->lo + WORD - 1) & ~(WORD - 1), s->hi);
	}
	return ok;
}

bool cof_scan_round(struct cof *cof, struct cof_scan *scan,
		    struct cof_scan_range *range, uint32_t n, uint64_t wait_ns)
{
	bool ok;

	cof_assert_role(COF_ROLE_PICKER);
	atomic_store_explicit(&scan->foreign, false, memory_order_relaxed);
	if (n == 0)
		return true;
	if (!open_round(cof, scan, range, n))
		return false;
	ok = wait_for_threads(cof, scan, wait_ns);
	atomic_store(&scan->round, 0);	/* F */
	if (!ok || !search_stacks(cof, scan))
		return false;
	if (scan->any_remote)
		mark_raw(scan);
	for (uint32_t i = 0; i < n; i++) {
		const struct cof_scan_range *r =
			&scan->range[cof_scan_range_below(scan, range[i].lo)];
		bool inside = atomic_load_explicit(&r->inside,
						   memory_order_relaxed);

		atomic_store_explicit(&range[i].inside, inside,
				      memory_order_relaxed);
	}
	return true;
}

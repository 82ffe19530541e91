/*
 * scan_remote.c - search the stack of a sleeping thread from another one
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "reclaim/remote_thread.h"
#include "reclaim/scan.h"

#define WORD sizeof(uintptr_t)

bool cof_scan_remote_memory(struct cof_scan *scan, uintptr_t lo, uintptr_t hi)
{
	size_t most = COF_SCAN_COPY_BYTES;

	hi &= ~(WORD - 1);
	while (lo < hi) {
		size_t in_page = COF_PAGE_BYTES - lo % COF_PAGE_BYTES;
		size_t bytes = hi - lo < most ? hi - lo : most;
		long n = cof_scan_copy(scan->copy, lo, bytes);

		if (n >= (long)WORD) {
			n &= ~(long)(WORD - 1);
			cof_scan_words(scan, scan->copy,
				       scan->copy + n / (long)WORD);
			lo += (size_t)n;
		} else if (n < 0 && n != -EFAULT) {
			return false;
		} else if (bytes > in_page) {
			most = in_page;		/* is this page there? */
		} else {
			lo += in_page;
			most = COF_SCAN_COPY_BYTES;
		}
	}
	return true;
}

/* `stack`: the listed stack that the thread is on; NULL: its own. */
static bool search_thread(struct cof_scan *scan,
			   const struct cof_scan_thread *thread,
			   const struct cof_remote_thread *s,
			   const struct cof_scan_stack *stack)
{
	uintptr_t lo = thread->lo, hi = thread->hi;

	cof_scan_words(scan, s->word, s->word + COF_REMOTE_THREAD_WORDS);
	if (s->sp >= lo && s->sp < hi)
		return cof_scan_remote_memory(
			scan, cof_scan_used_from(s->sp, lo), hi);
	if (!stack) {
		atomic_store_explicit(&scan->foreign, true,
				      memory_order_relaxed);
		return false;
	}
	lo = cof_scan_there_from(lo, hi);
	return lo < hi && cof_scan_remote_memory(scan, lo, hi) &&
	       cof_scan_remote_memory(scan,
				      cof_scan_used_from(s->sp, stack->lo),
				      stack->hi);
}

static bool is_same_sleep(const struct cof_remote_thread *a,
			  const struct cof_remote_thread *b)
{
	return memcmp(a->word, b->word, sizeof(a->word)) == 0;
}

bool cof_scan_remote(struct cof_scan *scan,
		     const struct cof_scan_thread *thread)
{
	clockid_t clock = cof_clock_of_thread(thread->tid);
	struct cof_remote_thread before, after;
	struct cof_scan_stack *stack = NULL;
	int fd = cof_remote_thread_open(thread->tid);
	uint64_t cpu_ns;
	bool slept = false;

	if (fd < 0)
		return false;
	if (cof_remote_thread_read(fd, &before)) {
		stack = cof_scan_stack_of(&scan->known, before.sp);
		cpu_ns = cof_clock_read(clock);
		slept = cpu_ns != 0 &&
			search_thread(scan, thread, &before, stack) &&
			cof_remote_thread_read(fd, &after) &&
			is_same_sleep(&before, &after) &&
			cof_clock_read(clock) == cpu_ns;
	}
	close(fd);
	if (slept && stack)
		cof_scan_stack_done(stack);
	return slept;
}

bool cof_scan_is_gone(int tid)
{
	return syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH;
}

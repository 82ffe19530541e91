/*
 * stack.c - raise the limit of the main thread's stack
 *
 * First versions and instrumented versions keep each value in a slot of its
 * own. If the functions are large and their callees were inlined, a frame is
 * ten times that of optimized code: cppcheck's recursion over a scope takes
 * less than 1 MB natively, and more than 8 MB so. Deep recursion that fits
 * natively must fit here, so the limit goes up. The stack still takes memory
 * only for what is used.
 *
 * The kernel reads the limit when the stack grows. It keeps 128 MB below the
 * stack free of other mappings, or as much as the limit was at exec(2) if that
 * is more.
 *
 * A thread's stack also holds the thread-local variables of all libraries that
 * were loaded at the start, and the frame of the signal that takes samples
 * where it has no stack of its own (exe/signal_stack.h). A program that asks
 * for a small stack knows of neither.
 */
#include "exe/stack.h"

#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/align.h"
#include "base/units.h"

#define TIMES 8
#define HANDLER_BYTES 4096u	/* for what takes a sample */
#define MOST  ((rlim_t)96 << 20)	/* leaves room for randomization */

void stack_raise(void)
{
	struct rlimit limit;
	rlim_t most;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= MOST)
		return;		/* RLIM_INFINITY is the largest there is */
	most = limit.rlim_max < MOST ? limit.rlim_max : MOST;
	limit.rlim_cur = limit.rlim_cur < most / TIMES ?
			 limit.rlim_cur * TIMES : most;
	/* If it fails, the limit stays as it was. */
	setrlimit(RLIMIT_STACK, &limit);
}

static int add_thread_locals(struct dl_phdr_info *info, size_t bytes, void *sum)
{
	(void)bytes;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			*(size_t *)sum += info->dlpi_phdr[i].p_memsz +
					  info->dlpi_phdr[i].p_align;
	return 0;
}

/* Counted once; the program's own libraries, if they are loaded by then, make
 * it larger. */
size_t stack_hosts_part(void)
{
	static _Atomic size_t known;
	size_t n = atomic_load_explicit(&known, memory_order_relaxed);
	long frame = sysconf(_SC_MINSIGSTKSZ);

	if (n != 0)
		return n;
	dl_iterate_phdr(add_thread_locals, &n);
	n += HANDLER_BYTES + (frame > 0 ? (size_t)frame : HANDLER_BYTES);
	n = cof_align_up(n, COF_PAGE_BYTES);
	atomic_store_explicit(&known, n, memory_order_relaxed);
	return n;
}

const pthread_attr_t *stack_grown(const pthread_attr_t *asked,
				  pthread_attr_t *grown)
{
	void *lo;
	size_t n;

	/* Where the program gives no stack, glibc has one that ends at 0. */
	if (asked == NULL || pthread_attr_getstack(asked, &lo, &n) != 0 ||
	    (uintptr_t)lo + n != 0 ||
	    pthread_attr_getstacksize(asked, &n) != 0)
		return asked;
	*grown = *asked;
	return pthread_attr_setstacksize(grown, n + stack_hosts_part()) == 0 ?
	       grown : asked;
}

/*
 * stub_stack.c - see stub_stack.h
 */
#include "patcher/stub_stack.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#include "base/rawcall.h"
#include "base/units.h"

#define POOL 16u	/* more at once are mapped and unmapped */

/*
 * A sanitizer's runtime would use vector registers, as its instrumentation
 * does, and more of the stack than there is. no_sanitize leaves clang's calls
 * for atomics.
 */
#if defined(__clang__)
#define PLAIN __attribute__((noinline, target("general-regs-only"), \
			     disable_sanitizer_instrumentation))
#else
#define PLAIN __attribute__((noinline, target("general-regs-only"), \
			     no_sanitize("address"), no_sanitize("thread"), \
			     no_sanitize("undefined")))
#endif

static _Atomic uintptr_t pool[POOL];	/* ends of stacks; 0: empty */

/* The end of a new stack, above a guard page; 0: no memory. */
PLAIN static uintptr_t new_stack(void)
{
	long lo = cof_raw6(SYS_mmap, 0, COF_STUB_STACK_BYTES, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			   MAP_STACK, -1, 0);

	if (lo < 0)
		return 0;
	if (cof_raw(SYS_mprotect, lo + COF_PAGE_BYTES,
		    COF_STUB_STACK_BYTES - COF_PAGE_BYTES,
		    PROT_READ | PROT_WRITE, 0) != 0) {
		cof_raw(SYS_munmap, lo, COF_STUB_STACK_BYTES, 0, 0);
		return 0;
	}
	return (uintptr_t)lo + COF_STUB_STACK_BYTES;
}

/* Acquire and release: the next user comes after what this one wrote. */
PLAIN static void keep(uintptr_t end)
{
	for (unsigned i = 0; i < POOL; i++) {
		uintptr_t empty = 0;

		if (atomic_compare_exchange_strong_explicit(
			    &pool[i], &empty, end, memory_order_release,
			    memory_order_relaxed))
			return;
	}
	cof_raw(SYS_munmap, (long)(end - COF_STUB_STACK_BYTES),
		COF_STUB_STACK_BYTES, 0, 0);
}

PLAIN uintptr_t cof_stub_stack_take(uint64_t *mask)
{
	const uint64_t all = ~0ull;

	cof_raw_rt_sigprocmask(SIG_SETMASK, &all, mask);
	for (unsigned i = 0; i < POOL; i++) {
		uintptr_t end = atomic_load_explicit(&pool[i],
						     memory_order_relaxed);

		if (end != 0)
			end = atomic_exchange_explicit(&pool[i], 0,
						       memory_order_acquire);
		if (end != 0)
			return end;
	}
	return new_stack();
}

PLAIN void cof_stub_stack_give(uintptr_t end, const uint64_t *mask)
{
	if (end != 0)
		keep(end);
	cof_raw_rt_sigprocmask(SIG_SETMASK, mask, NULL);
}

void cof_stub_stack_prepare(void)
{
	uintptr_t end;

	for (unsigned i = 0; i < POOL; i++)
		if (atomic_load_explicit(&pool[i], memory_order_relaxed) != 0)
			return;
	end = new_stack();
	if (end != 0)
		keep(end);
}

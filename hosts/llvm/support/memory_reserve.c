/*
 * memory_reserve.c - see memory_reserve.h
 */
#include "support/memory_reserve.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "support/tuning.h"

static _Atomic(void *) reserve;		/* NULL: none, or given back */
static _Atomic bool    is_short;
static size_t          bytes;		/* constant after begin() */

static uint64_t limit(int resource)
{
	struct rlimit l;

	return getrlimit(resource, &l) == 0 && l.rlim_cur != RLIM_INFINITY ?
	       l.rlim_cur : UINT64_MAX;
}

/* Under a limit, no more than a part of it. */
void cofl_memory_reserve_begin(void)
{
	uint64_t data = limit(RLIMIT_DATA), all = limit(RLIMIT_AS);
	uint64_t most = (data < all ? data : all) / COFL_TUNE(reserve_part);
	void *p;

	bytes = (size_t)COFL_TUNE(reserve_mb) << 20;
	if (bytes > most)
		bytes = (size_t)most & ~(size_t)0xfff;
	if (bytes == 0)
		return;
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return;
	madvise(p, bytes, MADV_NOHUGEPAGE);
	atomic_store_explicit(&reserve, p, memory_order_relaxed);
}

bool cofl_memory_reserve_has_room(size_t mb)
{
	void *p = mmap(NULL, mb << 20, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p != MAP_FAILED && munmap(p, mb << 20) == 0;
}

bool cofl_memory_reserve_release(void)
{
	void *p = atomic_exchange_explicit(&reserve, NULL,
					   memory_order_relaxed);

	cofl_memory_reserve_refused();
	return p != NULL && munmap(p, bytes) == 0;
}

void cofl_memory_reserve_refused(void)
{
	atomic_store_explicit(&is_short, true, memory_order_relaxed);
}

bool cofl_memory_reserve_is_short(void)
{
	return atomic_load_explicit(&is_short, memory_order_relaxed);
}

/*
 * boot_heap.c - lists of free blocks by size; see boot_heap.h
 */
#include "memory/boot_heap.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "base/align.h"
#include "memory/arena.h"

#define GRANULE  64u		/* bytes */
#define GRANULES (COF_BOOT_HEAP_BYTES / GRANULE)
#define STEP     ((size_t)128 << 10)	/* bytes that get access at a time */
#define EXACT    8u		/* sizes up to here are not rounded */
#define STEPS    4u		/* sizes in each doubling above */
#define SIZES    64u

struct free_block {
	struct free_block *next;
};

uintptr_t cof_boot_heap_start;

static atomic_flag held = ATOMIC_FLAG_INIT;
/* Under the lock. */
static uint16_t          *size_at;	/* in granules, by the first of them */
static size_t             top;		/* first granule that was never used */
static size_t             open_end;	/* first granule without access */
static struct free_block *freed[SIZES];

void cof_boot_heap_lock(void)
{
	while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
		sched_yield();
}

void cof_boot_heap_unlock(void)
{
	atomic_flag_clear_explicit(&held, memory_order_release);
}

/* Give access up to granule n. */
static bool reach(size_t n)
{
	size_t end = cof_align_up(n * GRANULE, STEP);
	char *at = (char *)size_at;

	if (n <= open_end)
		return true;
	if (mprotect(at, end, PROT_READ | PROT_WRITE) != 0)
		return false;
	open_end = end / GRANULE;
	return true;
}

bool cof_boot_heap_open(void)
{
	char *at = cof_arena_take(COF_BOOT_HEAP_BYTES);

	if (at == NULL)
		return false;
	/* Else its first page may come with all others. */
	madvise(at, COF_BOOT_HEAP_BYTES, MADV_NOHUGEPAGE);
	size_at = (uint16_t *)at;
	top = GRANULES * sizeof(*size_at) / GRANULE;
	if (!reach(top))
		return false;
	cof_boot_heap_start = (uintptr_t)at;
	return true;
}

/* Round *n, which is not 0, up to a size; return that size's number. */
static unsigned size_of(size_t *n)
{
	unsigned doubling, shift;

	if (*n <= EXACT)
		return (unsigned)*n - 1;
	doubling = 63 - (unsigned)__builtin_clzl(*n - 1);	/* 3 or more */
	shift = doubling - 2;
	*n = cof_align_up(*n, (size_t)1 << shift);
	return EXACT + (doubling - 3) * STEPS + (unsigned)(*n >> shift) -
	       STEPS - 1;
}

static size_t granule_of(const void *p)
{
	return ((uintptr_t)p - cof_boot_heap_start) / GRANULE;
}

static void *take_freed(unsigned size, size_t n, size_t alignment)
{
	struct free_block *b = freed[size];

	if (b == NULL || (uintptr_t)b % alignment != 0)
		return NULL;
	freed[size] = b->next;
	return memset(b, 0, n * GRANULE);
}

static void *take_new(size_t n, size_t alignment)
{
	size_t at = cof_align_up(top, alignment / GRANULE);

	if (at > GRANULES || n > GRANULES - at || !reach(at + n))
		return NULL;
	size_at[at] = (uint16_t)n;
	top = at + n;
	return (void *)(cof_boot_heap_start + at * GRANULE);
}

void *cof_boot_heap_alloc(size_t bytes, size_t alignment)
{
	size_t n = bytes / GRANULE + (bytes % GRANULE != 0 || bytes == 0);
	unsigned size;
	void *p;

	if (cof_boot_heap_start == 0 || n > GRANULES ||
	    alignment > COF_BOOT_HEAP_BYTES)
		return NULL;
	size = size_of(&n);
	if (alignment < GRANULE)
		alignment = GRANULE;
	cof_boot_heap_lock();
	p = take_freed(size, n, alignment);
	if (p == NULL)
		p = take_new(n, alignment);
	cof_boot_heap_unlock();
	return p;
}

/* Nobody changes the word while the block is in use. */
size_t cof_boot_heap_size(const void *p)
{
	return (size_t)size_at[granule_of(p)] * GRANULE;
}

void cof_boot_heap_free(void *p)
{
	struct free_block *b = p;
	size_t n = size_at[granule_of(p)];
	unsigned size = size_of(&n);

	cof_boot_heap_lock();
	b->next = freed[size];
	freed[size] = b;
	cof_boot_heap_unlock();
}

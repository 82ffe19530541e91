/*
 * island.c - pages of `jmp [rip+0]`, made as they are needed
 */
#include "vm/island.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/units.h"

#define BYTES   16u		/* of an island */
#define REACH   ((uintptr_t)1 << 31)
#define STEP    ((uintptr_t)1 << 20)	/* between the places it tries */
#define SPREAD  ((uintptr_t)1 << 28)	/* how far a page serves others */
#define PAGES   64u

struct page {
	uint8_t *at;
	uint32_t used;
};

static struct page page[PAGES];
static uint32_t n_pages;

static uintptr_t distance(uintptr_t a, uintptr_t b)
{
	return a > b ? a - b : b - a;
}

static uint8_t *map_at(uintptr_t at)
{
	void *p = mmap((void *)at, COF_PAGE_BYTES, PROT_READ | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		       0);

	if (p == MAP_FAILED)
		return NULL;
	if (p != (void *)at) {
		munmap(p, COF_PAGE_BYTES);
		return NULL;
	}
	return p;
}

static uint8_t *map_near(uintptr_t near)
{
	uintptr_t middle = near & ~(STEP - 1);
	uint8_t *p = NULL;

	for (uintptr_t d = STEP; d < REACH - SPREAD && !p; d += STEP) {
		p = map_at(middle + d);
		if (!p && middle > d)
			p = map_at(middle - d);
	}
	return p;
}

static struct page *page_for(uintptr_t near)
{
	for (uint32_t i = 0; i < n_pages; i++)
		if (page[i].used + BYTES <= COF_PAGE_BYTES &&
		    distance((uintptr_t)page[i].at, near) <
			    REACH - COF_PAGE_BYTES)
			return &page[i];
	if (n_pages == PAGES)
		return NULL;
	page[n_pages].at = map_near(near);
	if (!page[n_pages].at)
		return NULL;
	return &page[n_pages++];
}

const void *cofm_island(const void *near, const void *to)
{
	static const uint8_t jump[6] = { 0xff, 0x25, 2, 0, 0, 0 };
	struct page *p = page_for((uintptr_t)near);
	uint8_t *at;

	if (!p || mprotect(p->at, COF_PAGE_BYTES,
			   PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
		return NULL;
	at = p->at + p->used;
	p->used += BYTES;
	memcpy(at, jump, sizeof(jump));
	/* Aligned: jmp reads 8 bytes at 6 + 2. */
	memcpy(at + 8, &to, sizeof(to));
	mprotect(p->at, COF_PAGE_BYTES, PROT_READ | PROT_EXEC);
	return at;
}

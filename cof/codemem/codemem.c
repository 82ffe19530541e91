/*
 * codemem.c - the code range, divided
 *
 *	granule  0            first_lo      low             high          end
 *	         [ glue stubs | first area  |  never used   |  hot area   ]
 *
 * A free extent next to the part never used joins it. So both areas shrink
 * again, and one can use what the other gave back. Whole pages of free extents
 * and of the part never used go back to the system. The other bytes of a free
 * extent are traps.
 */
#include "codemem/codemem.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "base/align.h"
#include "base/fork_code.h"
#include "base/tsan.h"
#include "base/units.h"
#include "codemem/code_pages.h"
#include "codemem/code_range.h"
#include "codemem/free_extents.h"
#include "codemem/insn.h"
#include "memory/mem.h"
#include "process/forked.h"

#define GRANULE    64u
#define STUB_BYTES 16u
#define STUB_SHARE 16u	/* one part in so many of the range is for stubs */
#define GLUE_BYTES 64u
#define AREAS      COF_CODE_AREAS

struct cof_codemem {
	struct cof_code_range range;
	uint32_t         first_lo, low, high, end;	/* granules */
	struct cof_free_extents extents[AREAS];
	uint32_t         blocks[AREAS];		/* handed out */
	size_t           used[AREAS];		/* bytes of these */
	size_t           data_used;
	size_t           stubs, stubs_max;
	bool             lent, keeps;		/* lend(), keep() */
	uint32_t         lent_forks;		/* cof_forked_count() then */

	/* Apart from the code; not backed by memory before it is used. */
	void            *side;
	size_t           side_bytes;
	_Atomic(void *) *stub_word;		/* stubs_max of them */
	uint32_t        *tag;			/* one per granule, and one */
};

static void *write_at(const struct cof_codemem *mem, size_t offset)
{
	return mem->range.write + offset;
}

static void trap_fill(const struct cof_codemem *mem, size_t lo, size_t hi)
{
	memset(write_at(mem, lo), COF_INSN_TRAP, hi - lo);
}

static int map_side(struct cof_codemem *mem)
{
	size_t words = cof_align_up(mem->stubs_max * sizeof(*mem->stub_word),
				COF_PAGE_BYTES);

	mem->side_bytes = words + ((size_t)mem->end + 1) * sizeof(*mem->tag);
	mem->side = mmap(NULL, mem->side_bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mem->side == MAP_FAILED)
		return -COF_E_NOMEM;
	mem->stub_word = mem->side;
	mem->tag = (uint32_t *)((char *)mem->side + words);
	return 0;
}

struct cof_codemem *cof_codemem_new(size_t code_bytes, size_t data_bytes,
				    const void *near, size_t near_bytes,
				    int *err)
{
	struct cof_codemem *mem = cof_mem_alloc(sizeof(*mem));
	size_t stub_bytes;

	*err = -COF_E_NOMEM;
	if (!mem)
		return NULL;
	cof_code_range_limit(&code_bytes, &data_bytes, near, near_bytes);
	code_bytes = cof_align_up(code_bytes, STUB_SHARE * COF_PAGE_BYTES);
	data_bytes = cof_align_up(data_bytes, COF_PAGE_BYTES);
	stub_bytes = code_bytes / STUB_SHARE;
	mem->end = (uint32_t)(code_bytes / GRANULE);
	mem->first_lo = mem->low = (uint32_t)(stub_bytes / GRANULE);
	mem->high = mem->end;
	mem->stubs_max = (stub_bytes - GLUE_BYTES) / STUB_BYTES;
	*err = map_side(mem);
	if (*err != 0)
		goto no_side;
	*err = cof_code_range_map(&mem->range, code_bytes, data_bytes, near,
				  near_bytes);
	if (*err != 0)
		goto no_range;
	for (int i = 0; i < AREAS; i++)
		cof_free_extents_init(&mem->extents[i], mem->tag);
	trap_fill(mem, 0, COF_PAGE_BYTES);
	return mem;
no_range:
	munmap(mem->side, mem->side_bytes);
no_side:
	cof_mem_free(mem);
	return NULL;
}

void cof_codemem_free(struct cof_codemem *mem)
{
	if (!mem)
		return;
	for (int i = 0; i < AREAS; i++)
		cof_free_extents_free(&mem->extents[i]);
	cof_code_range_unmap(&mem->range);
	munmap(mem->side, mem->side_bytes);
	cof_mem_free(mem);
}

/* -- Blocks ---------------------------------------------------------------- */

static enum cof_code_area area_of(const struct cof_codemem *mem, uint32_t at)
{
	return at < mem->low ? COF_CODE_FIRST : COF_CODE_HOT;
}

static uint32_t take_new(struct cof_codemem *mem, enum cof_code_area area,
			 uint32_t n)
{
	if (mem->high - mem->low < n)
		return COF_FREE_EXTENT_NONE;
	if (area == COF_CODE_HOT)
		return mem->high -= n;
	return (mem->low += n) - n;
}

int cof_codemem_alloc(struct cof_codemem *mem, size_t bytes,
		      enum cof_code_area area, struct cof_code *out)
{
	enum cof_code_area other = area == COF_CODE_HOT ? COF_CODE_FIRST
							: COF_CODE_HOT;
	uint32_t at, n;

	cof_codemem_own(mem);
	if (mem->range.closed)
		return -COF_E_PERM;	/* a child that shares the pages */
	if (bytes == 0 || bytes > mem->range.bytes)
		return bytes == 0 ? -COF_E_INVAL : -COF_E_NOMEM;
	n = (uint32_t)(cof_align_up(bytes, GRANULE) / GRANULE);
	/* A block lies between any two extents of an area. So there are no more
	 * extents than blocks, and one more while the last is put back. */
	for (int i = 0; i < AREAS; i++)
		if (cof_free_extents_reserve(&mem->extents[i],
					     mem->blocks[i] + 2) != 0)
			return -COF_E_NOMEM;
	at = cof_free_extents_take(&mem->extents[area], n);
	if (at == COF_FREE_EXTENT_NONE)
		at = take_new(mem, area, n);
	if (at == COF_FREE_EXTENT_NONE)
		at = cof_free_extents_take(&mem->extents[other], n);
	if (at == COF_FREE_EXTENT_NONE)
		return -COF_E_NOMEM;
	mem->blocks[area_of(mem, at)]++;
	mem->used[area_of(mem, at)] += (size_t)n * GRANULE;
	out->exec = mem->range.exec + (size_t)at * GRANULE;
	out->write = write_at(mem, (size_t)at * GRANULE);
	out->size_bytes = (size_t)n * GRANULE;
	cof_code_range_dump(&mem->range, area_of(mem, at),
			    (size_t)at * GRANULE, (size_t)(at + n) * GRANULE);
	memset(out->write, COF_INSN_TRAP, out->size_bytes);
	return 0;
}

/*
 * Bytes [lo, hi) became free, and now lie in the free bytes [free_lo, free_hi).
 * Give back the pages that became free as a whole.
 */
static void give_back(struct cof_codemem *mem, size_t lo, size_t hi,
		      size_t free_lo, size_t free_hi)
{
	size_t from = lo / COF_PAGE_BYTES * COF_PAGE_BYTES,
	       to = cof_align_up(hi, COF_PAGE_BYTES);

	if (from < free_lo)
		from += COF_PAGE_BYTES;
	if (to > free_hi)
		to -= COF_PAGE_BYTES;
	if (from >= to) {
		trap_fill(mem, lo, hi);
		return;
	}
	if (lo < from)
		trap_fill(mem, lo, from);
	if (to < hi)
		trap_fill(mem, to, hi);
	cof_code_range_forget(&mem->range, from, to - from);
}

void cof_codemem_release(struct cof_codemem *mem, const struct cof_code *block)
{
	size_t offset = (size_t)((char *)block->exec - mem->range.exec);
	uint32_t at = (uint32_t)(offset / GRANULE), lo, hi;
	uint32_t n = (uint32_t)(block->size_bytes / GRANULE);
	enum cof_code_area area = area_of(mem, at);

	assert(offset % GRANULE == 0 && at >= mem->first_lo && n > 0 &&
	       at + n <= mem->end && mem->blocks[area] > 0);
	cof_codemem_own(mem);
	if (mem->range.closed)
		return;		/* no traps can be written */
	cof_free_extents_put(&mem->extents[area], at, n, &lo, &hi);
	mem->blocks[area]--;
	mem->used[area] -= (size_t)n * GRANULE;
	if (hi == mem->low) {
		cof_free_extents_remove(&mem->extents[area], lo);
		mem->low = lo;
		hi = mem->high;
	} else if (lo == mem->high) {
		cof_free_extents_remove(&mem->extents[area], lo);
		mem->high = hi;
		lo = mem->low;
	}
	give_back(mem, offset, offset + block->size_bytes,
		  (size_t)lo * GRANULE, (size_t)hi * GRANULE);
}

/* -- Data, stubs ----------------------------------------------------------- */

void *cof_codemem_data(struct cof_codemem *mem, size_t bytes, size_t align)
{
	size_t at;

	if (bytes == 0 || align == 0 || align > COF_PAGE_BYTES ||
	    (align & (align - 1)))
		return NULL;
	at = cof_align_up(mem->data_used, align);
	if (at > mem->range.data_bytes || bytes > mem->range.data_bytes - at)
		return NULL;
	mem->data_used = at + bytes;
	return mem->range.data + at;
}

uintptr_t cof_codemem_stub(struct cof_codemem *mem)
{
	uintptr_t base = (uintptr_t)mem->range.exec;
	size_t at = GLUE_BYTES + mem->stubs * STUB_BYTES;

	cof_codemem_own(mem);
	if (mem->stubs == mem->stubs_max || mem->range.closed)
		return 0;
	if (at % COF_PAGE_BYTES == 0)
		trap_fill(mem, at, at + COF_PAGE_BYTES);
	mem->stubs++;
	return base + at;
}

_Atomic(void *) *cof_codemem_stub_word(const struct cof_codemem *mem,
				       uintptr_t stub)
{
	size_t i = (stub - (uintptr_t)mem->range.exec - GLUE_BYTES) /
		   STUB_BYTES;

	assert(stub % STUB_BYTES == 0 && i < mem->stubs_max);
	return &mem->stub_word[i];
}

uintptr_t cof_codemem_glue(const struct cof_codemem *mem)
{
	return (uintptr_t)mem->range.exec;
}

/* -- Copying --------------------------------------------------------------- */

/* Copy whole pages: their other bytes may be traps. */
static int copy_pages(const struct cof_codemem *mem,
		      const struct cof_code_pages *copy, size_t lo, size_t hi)
{
	return cof_code_pages_write(copy, mem->range.write,
				    lo / COF_PAGE_BYTES * COF_PAGE_BYTES,
				    cof_align_up(hi, COF_PAGE_BYTES));
}

/* Copy the blocks in granules [at, end) of one area: all that is not free. */
static int copy_blocks(const struct cof_codemem *mem,
		       const struct cof_code_pages *copy, uint32_t at,
		       uint32_t end)
{
	int err = 0;

	while (at < end && err == 0) {
		uint32_t from = at;

		if (mem->tag[at] != 0) {
			const struct cof_free_extents *set =
				&mem->extents[area_of(mem, at)];

			at += set->extent[mem->tag[at] - 1].n;
			continue;
		}
		while (at < end && mem->tag[at] == 0)
			at++;
		err = copy_pages(mem, copy, (size_t)from * GRANULE,
				 (size_t)at * GRANULE);
	}
	return err;
}

int cof_codemem_snapshot(const struct cof_codemem *mem,
			 struct cof_code_pages *copy)
{
	int err = cof_code_pages_new(copy, mem->range.bytes);

	if (err != 0)
		return err;
	/* A block that a thread is still filling belongs to no version, so the
	 * child never runs it. */
	cof_tsan_any_begin();
	err = copy_pages(mem, copy, 0, GLUE_BYTES + mem->stubs * STUB_BYTES);
	if (err == 0)
		err = copy_blocks(mem, copy, mem->first_lo, mem->low);
	if (err == 0)
		err = copy_blocks(mem, copy, mem->high, mem->end);
	cof_tsan_any_end();
	if (err != 0)
		cof_code_pages_free(copy);
	return err;
}

/* -- Lending --------------------------------------------------------------- */

bool cof_codemem_lend(struct cof_codemem *mem)
{
	if (mem->keeps || mem->range.closed)
		return false;
	/* A child lends on what its parent lent. At most forks the memory is
	 * lent already, so that the fork writes to no page. */
	if (!mem->lent) {
		mem->lent = true;
		mem->lent_forks = cof_forked_count();
	}
	return true;
}

void cof_codemem_own(struct cof_codemem *mem)
{
	struct cof_code_pages copy;
	bool copied;

	if (!mem->lent)
		return;
	mem->lent = false;
	copied = cof_codemem_snapshot(mem, &copy) == 0;
	cof_code_range_part(&mem->range, copied ? &copy : NULL,
			    mem->lent_forks != cof_forked_count());
	if (copied)
		cof_code_pages_free(&copy);
}

void cof_codemem_keep(struct cof_codemem *mem)
{
	cof_codemem_own(mem);
	mem->keeps = true;
}

/* -- Asking ---------------------------------------------------------------- */

int cof_codemem_holds(const struct cof_codemem *mem, uintptr_t lo, uintptr_t hi)
{
	uintptr_t exec = (uintptr_t)mem->range.exec;

	return lo >= exec && lo <= hi && hi <= exec + mem->range.bytes;
}

void *cof_codemem_write(const struct cof_codemem *mem, uintptr_t exec)
{
	if (!cof_codemem_holds(mem, exec, exec + 1))
		return NULL;
	return write_at(mem, exec - (uintptr_t)mem->range.exec);
}

size_t cof_codemem_used(const struct cof_codemem *mem, enum cof_code_area area)
{
	return mem->used[area];
}

size_t cof_codemem_data_used(const struct cof_codemem *mem)
{
	return mem->data_used;
}

COF_FORK_CODE
const struct cof_code_range *cof_codemem_range(const struct cof_codemem *mem)
{
	return &mem->range;
}

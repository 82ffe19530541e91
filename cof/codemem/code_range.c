/*
 * code_range.c - the code range: the same pages, mapped twice; see code_range.h
 *
 *	exec  [ memfd, r-x          | data, rw-, private ]   one reservation
 *	write [ the same memfd, rw- ]                        anywhere else
 *
 * One reservation holds exec and data, so a rel32 in any code reaches all other
 * code and all data. The kernel backs a page when it is first touched.
 */
#include "codemem/code_range.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "codemem/code_pages.h"
#include "cof.h"
#include "process/forked.h"

#define REACH_BYTES ((size_t)1 << 31)	/* of a rel32 */
#define STEP        ((size_t)16 << 20)	/* between addresses that are tried */
#define HELD_MAX    4u			/* reservations kept meanwhile */
#define HEAP_GROWS  ((uintptr_t)256 << 20)
#define LOW_BYTES   ((size_t)1 << 31)	/* where a program without PIE lives */
#define LOW_SHARE   16u			/* one part in so many is for a range */
#define DUMP_STEP   ((size_t)1 << 20)	/* mappings are split so seldom */

/* What core files have; a new mapping is one they have as a whole. */
static void set_dumped(const struct cof_code_range *r)
{
	madvise(r->exec, r->bytes, MADV_DONTDUMP);
	madvise(r->write, r->bytes, MADV_DONTDUMP);
	for (unsigned i = 0; i < COF_CODE_AREAS; i++)
		if (r->dumped[i].to > r->dumped[i].from)
			madvise(r->exec + r->dumped[i].from,
				r->dumped[i].to - r->dumped[i].from,
				MADV_DODUMP);
}

/*
 * Map `pages` at exec and at write. 0 or a negative cof_err; in that case exec
 * may be mapped to them already, and write is not.
 */
static int place(const struct cof_code_range *r,
		 const struct cof_code_pages *pages)
{
	if (!cof_code_pages_map(pages, r->exec, PROT_READ | PROT_EXEC) ||
	    !cof_code_pages_map(pages, r->write, PROT_READ | PROT_WRITE))
		return cof_code_pages_error(errno);
	set_dumped(r);
	return 0;
}

void cof_code_range_dump(struct cof_code_range *r, unsigned area, size_t from,
			 size_t to)
{
	struct cof_code_dumped *d = &r->dumped[area];

	if (d->to == 0)
		d->from = r->bytes;
	if (from >= d->from && to <= d->to)
		return;
	from = from / DUMP_STEP * DUMP_STEP;
	to = (to + DUMP_STEP - 1) / DUMP_STEP * DUMP_STEP;
	if (from < d->from)
		d->from = from;
	if (to > d->to)
		d->to = to < r->bytes ? to : r->bytes;
	madvise(r->exec + d->from, d->to - d->from, MADV_DODUMP);
}

/*
 * The addresses stay reserved if possible: a stale pointer must not come to
 * point to what the program maps there next.
 */
void cof_code_range_close(struct cof_code_range *r)
{
	r->closed = 1;
	if (mprotect(r->write, r->bytes, PROT_NONE) != 0 &&
	    mmap(r->write, r->bytes, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
		 0) == MAP_FAILED)
		munmap(r->write, r->bytes);
}

/*
 * Is one of these addresses a multiple of 4 GiB? No function should begin
 * there. Compilers write a function's address into the unwind table with 32
 * bits. If these are 0, libgcc's registry takes the entry for that of a
 * function which the linker has left out (gcc:libgcc/unwind-dw2-fde.c,
 * init_object() and its callees), and no exception gets past the function.
 */
static bool has_4g(const char *at, size_t bytes)
{
	uintptr_t first = (uintptr_t)at, last = first + bytes - 1;

	return (uint32_t)first == 0 || first >> 32 != last >> 32;
}

/* Reserve address space, without memory. NULL: none is left. */
static char *reserve(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/*
 * Reserve at any address, with no multiple of 4 GiB in the first `code` bytes
 * if there is such a place.
 */
static char *reserve_any(size_t bytes, size_t code)
{
	char *held[HELD_MAX], *p = NULL;
	unsigned n = 0;

	while (n < HELD_MAX && (p = reserve(bytes)) && has_4g(p, code))
		held[n++] = p;
	if (n > 0 && (n == HELD_MAX || !p))
		p = held[--n];
	while (n > 0)
		munmap(held[--n], bytes);
	return p;
}

/*
 * Is one of these addresses right behind the program's heap? brk(2) takes no
 * address that is in use, and a program that calls it has no other way to go.
 * Nothing is mapped to keep them free: its threads may call brk(2) meanwhile.
 */
static bool in_way_of_heap(uintptr_t at, size_t bytes)
{
	uintptr_t end = (uintptr_t)syscall(SYS_brk, 0);

	return at < end + HEAP_GROWS && at + bytes > end;
}

/*
 * Reserve at `at` and nowhere else. NULL: these addresses are in use, or the
 * heap may grow into them; or they are where null pointers lead, which root may
 * map; or a multiple of 4 GiB is in the first `code` bytes.
 */
static char *reserve_at(uintptr_t at, size_t bytes, size_t code)
{
	void *p = MAP_FAILED;

	if (at >= STEP && !has_4g((const char *)at, code) &&
	    !in_way_of_heap(at, bytes))
		p = mmap((void *)at, bytes, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			 MAP_FIXED_NOREPLACE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	if (p != (void *)at) {	/* a kernel before 4.17: it was a hint */
		munmap(p, bytes);
		return NULL;
	}
	return p;
}

/* Addresses that are to reach the range, and that it is to reach. */
struct around {
	uintptr_t first, end;	/* multiples of STEP */
};

/* 0 bytes are one. */
static struct around around(const void *at, size_t bytes)
{
	uintptr_t from = (uintptr_t)at, last = from + (bytes ? bytes - 1 : 0);

	return (struct around){ from & ~(STEP - 1),
				(last & ~(STEP - 1)) + STEP };
}

/*
 * Reserve at the nearest free address; `reached` bytes of it have to be in
 * reach. Addresses below are tried first: they leave those above to a host
 * whose code grows upwards. NULL: none is in reach.
 */
static char *reserve_nearest(struct around near, size_t bytes, size_t code,
			     size_t reached)
{
	size_t all = near.end - near.first;
	char *p = NULL;

	for (uintptr_t d = 0; d + reached + all + STEP < REACH_BYTES && !p;
	     d += STEP) {
		uintptr_t below = d + bytes;

		if (near.first > below && below + all + STEP < REACH_BYTES)
			p = reserve_at((near.first - below) & ~(STEP - 1),
				       bytes, code);
		if (!p)
			p = reserve_at(near.end + d, bytes, code);
	}
	return p;
}

static bool is_low(struct around near)
{
	return near.end <= LOW_BYTES;
}

/* Below 2 GiB and as high as possible: all of it reaches all of the host's. */
static char *reserve_low(size_t bytes, size_t code)
{
	char *p = NULL;

	for (uintptr_t d = bytes; d < LOW_BYTES && !p; d += STEP)
		p = reserve_at((LOW_BYTES - d) & ~(STEP - 1), bytes, code);
	return p;
}

/*
 * All of it in reach of all of the host's, if that is possible. A heap may be
 * in the middle of what is in reach of an executable at low addresses. Then the
 * code alone: our data is used by our code. Or the host's is too large; then in
 * reach of its first byte.
 */
static char *reserve_near(const void *near, size_t near_bytes, size_t bytes,
			  size_t code)
{
	struct around all = around(near, near_bytes);
	char *p = is_low(all) ? reserve_low(bytes, code) : NULL;

	if (!p)
		p = reserve_nearest(all, bytes, code, bytes);
	if (!p)
		p = reserve_nearest(all, bytes, code, code);
	return p ? p : reserve_nearest(around(near, 0), bytes, code, code);
}

/* In proportion. */
void cof_code_range_limit(size_t *bytes, size_t *data_bytes, const void *near,
			  size_t near_bytes)
{
	const size_t most = LOW_BYTES / LOW_SHARE;
	size_t all = *bytes + *data_bytes;

	if (!near || !is_low(around(near, near_bytes)) || all <= most)
		return;
	*bytes = (size_t)((double)*bytes * most / all);
	*data_bytes = most - *bytes;
}

bool cof_code_range_reaches(const struct cof_code_range *range,
			    const void *near, size_t near_bytes)
{
	uintptr_t a = (uintptr_t)range->exec, b = (uintptr_t)near;
	uintptr_t a_end = a + range->bytes, b_end = b + near_bytes;

	return (a_end > b_end ? a_end : b_end) - (a < b ? a : b) < REACH_BYTES;
}

int cof_code_range_map(struct cof_code_range *range, size_t bytes,
		       size_t data_bytes, const void *near, size_t near_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct cof_code_pages pages;
	struct cof_code_range r = { 0 };
	int err = -COF_E_NOMEM;

	if (bytes == 0 || bytes >= REACH_BYTES || data_bytes >= REACH_BYTES)
		return -COF_E_NOMEM;
	r.bytes = (bytes + page - 1) & ~(page - 1);
	r.data_bytes = (data_bytes + page - 1) & ~(page - 1);
	if (r.bytes + r.data_bytes >= REACH_BYTES)
		return -COF_E_NOMEM;

	r.exec = near ? reserve_near(near, near_bytes, r.bytes + r.data_bytes,
				     r.bytes) : NULL;
	if (!r.exec)
		r.exec = reserve_any(r.bytes + r.data_bytes, r.bytes);
	r.write = reserve(r.bytes);
	if (!r.exec || !r.write)
		goto fail;
	r.data = r.exec + r.bytes;
	err = cof_code_pages_new(&pages, r.bytes);
	if (err != 0)
		goto fail;
	err = place(&r, &pages);
	cof_code_pages_free(&pages);
	if (err != 0)
		goto fail;
	if (r.data_bytes > 0 &&
	    mmap(r.data, r.data_bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
		 0) == MAP_FAILED) {
		err = cof_code_pages_error(errno);
		goto fail;
	}
	madvise(r.data, r.data_bytes, MADV_DONTDUMP);
	*range = r;
	return 0;
fail:
	cof_code_range_unmap(&r);
	return err;
}

void cof_code_range_unmap(struct cof_code_range *range)
{
	if (range->exec)
		munmap(range->exec, range->bytes + range->data_bytes);
	if (range->write)
		munmap(range->write, range->bytes);
	*range = (struct cof_code_range){ 0 };
}

void cof_code_range_forget(struct cof_code_range *range, size_t offset,
			   size_t bytes)
{
	if (range->closed)
		return;
	if (madvise(range->write + offset, bytes, MADV_REMOVE) != 0)
		memset(range->write + offset, 0, bytes);
}

void cof_code_range_part(struct cof_code_range *range,
			 const struct cof_code_pages *copy, bool in_child)
{
	if (copy && place(range, copy) == 0)
		return;
	if (in_child || copy)	/* the copy may be mapped at exec already */
		cof_code_range_close(range);
	cof_forked_note_shared();
}

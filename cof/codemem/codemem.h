/*
 * codemem.h - blocks of code memory in one range, by rel32 of each other
 *
 *	exec  [ stubs | first area ->      ...      <- hot area ] [ data -> ]
 *	write [ the same pages, read+write                      ]
 *
 * Blocks are multiples of 64 bytes and 64-byte aligned, so that no two versions
 * share a cache line. Freed blocks are merged with their neighbours and used
 * again, best fit; whole free pages go back to the system.
 *
 * Thread: under the code lock, all of it, but what only computes an address:
 * cof_codemem_write(), _holds(), _glue() and _stub_word().
 */
#ifndef COF_CODEMEM_CODEMEM_H
#define COF_CODEMEM_CODEMEM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"
#include "codemem/code_pages.h"
#include "codemem/code_range.h"
#include "process/process.h"

struct cof_codemem;

/* `near`: cof_code_range_map(). */
struct cof_codemem *cof_codemem_new(size_t code_bytes, size_t data_bytes,
				    const void *near, int *err);
void cof_codemem_free(struct cof_codemem *mem);

/* 0 or -COF_E_NOMEM. The block is filled with trap bytes. */
int  cof_codemem_alloc(struct cof_codemem *mem, size_t bytes,
		       enum cof_code_area area, struct cof_code *out);
void cof_codemem_release(struct cof_codemem *mem, const struct cof_code *block);
void *cof_codemem_data(struct cof_codemem *mem, size_t bytes, size_t align);

/* 16 bytes for a stub, run-time address; 0: no room. Never freed. */
uintptr_t cof_codemem_stub(struct cof_codemem *mem);

/*
 * A word beside the code that belongs to a stub of cof_codemem_stub(), for
 * whoever makes stubs. NULL at first. Any thread.
 */
_Atomic(void *) *cof_codemem_stub_word(const struct cof_codemem *mem,
				       uintptr_t stub);

/* 64 bytes in reach of every stub, full of traps at first: run-time address. */
uintptr_t cof_codemem_glue(const struct cof_codemem *mem);

/* The writable alias of a run-time address in the range; NULL: not in it. */
void *cof_codemem_write(const struct cof_codemem *mem, uintptr_t exec);

/* Is [lo, hi) inside the executable range? */
int  cof_codemem_holds(const struct cof_codemem *mem, uintptr_t lo,
		       uintptr_t hi);

/*
 * Bytes in blocks handed out. A block counts for the area it lies in: it is the
 * other one's if that was all that was left.
 */
size_t cof_codemem_used(const struct cof_codemem *mem, enum cof_code_area area);
size_t cof_codemem_data_used(const struct cof_codemem *mem);

/* Pages of the range's size with a copy of all blocks and stubs, for api/fork_hooks.c. 0
 * or a negative cof_err. */
int  cof_codemem_snapshot(const struct cof_codemem *mem,
			  struct cof_code_pages *copy);

/*
 * A fork may leave code memory to parent and child as it is, the first of them that
 * writes to it moving to a copy, instead of making that copy for a child that does
 * nothing but exec or exit:
 *
 *	lend   before the fork. False: it is not to be lent
 *	own    before any write: if it is lent, move
 *	keep   own it, and do not lend it from now on
 *
 * Who moves while another thread fills a block loses what that writes, so the host
 * says whether it can be lent (cof_host.fork_shares_code); and with the loop on, which
 * writes at any time, it is kept.
 */
bool cof_codemem_lend(struct cof_codemem *mem);
void cof_codemem_own(struct cof_codemem *mem);
void cof_codemem_keep(struct cof_codemem *mem);

const struct cof_code_range *cof_codemem_range(const struct cof_codemem *mem);

#endif /* COF_CODEMEM_CODEMEM_H */

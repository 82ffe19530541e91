/*
 * codemem.h - blocks of code memory in one range, in rel32 reach of each other
 *
 *	exec  [ stubs | first area ->      ...      <- hot area ] [ data -> ]
 *	write [ the same pages, read+write                      ]
 *
 * Blocks are multiples of 64 bytes and 64-byte aligned, so that no two versions
 * share a cache line. Freed blocks are merged with their neighbours and used
 * again, best fit. Whole free pages go back to the system.
 *
 * Thread: the caller holds the code lock. Only the functions that just compute
 * an address need no lock: cof_codemem_write(), _holds(), _glue(),
 * _stub_word().
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codemem/code_pages.h"
#include "codemem/code_range.h"
#include "cof.h"

struct cof_codemem;

/*
 * Sizes in bytes; `near` and `near_bytes` as in cof_code_range_map(). NULL:
 * *err is a negative cof_err.
 */
struct cof_codemem *cof_codemem_new(size_t code_bytes, size_t data_bytes,
				    const void *near, size_t near_bytes,
				    int *err);
void cof_codemem_free(struct cof_codemem *mem);

/*
 * A block filled with trap bytes. 0, -COF_E_NOMEM, -COF_E_INVAL (no bytes), or
 * -COF_E_PERM: the range is closed.
 */
int  cof_codemem_alloc(struct cof_codemem *mem, size_t bytes,
		       enum cof_code_area area, struct cof_code *out);
void cof_codemem_release(struct cof_codemem *mem, const struct cof_code *block);

/*
 * Zeroed near data, never freed. `align`: a power of two, a page at most. NULL:
 * not enough is left, or an argument is invalid.
 */
void *cof_codemem_data(struct cof_codemem *mem, size_t bytes, size_t align);

/* The run-time address of 16 aligned bytes for a stub, never freed. 0: none is
 * left. */
uintptr_t cof_codemem_stub(struct cof_codemem *mem);

/*
 * The word that belongs to a stub of cof_codemem_stub(), apart from the code,
 * for the maker of stubs to use. NULL at first. Any thread.
 */
_Atomic(void *) *cof_codemem_stub_word(const struct cof_codemem *mem,
				       uintptr_t stub);

/* The run-time address of 64 bytes in reach of every stub; traps at first. */
uintptr_t cof_codemem_glue(const struct cof_codemem *mem);

/* The writable alias of a run-time address; NULL: it is not in the range. */
void *cof_codemem_write(const struct cof_codemem *mem, uintptr_t exec);

/* Is [lo, hi) inside the executable range? */
int  cof_codemem_holds(const struct cof_codemem *mem, uintptr_t lo,
		       uintptr_t hi);

/*
 * Bytes in blocks handed out. A block counts for the area it lies in, which is
 * not the area asked for if that one was full.
 */
size_t cof_codemem_used(const struct cof_codemem *mem, enum cof_code_area area);
size_t cof_codemem_data_used(const struct cof_codemem *mem);

/*
 * Make pages of the range's size with a copy of all blocks and stubs, for
 * api/fork_hooks.c. 0 or a negative cof_err.
 */
int  cof_codemem_snapshot(const struct cof_codemem *mem,
			  struct cof_code_pages *copy);

/*
 * A fork may lend code memory: parent and child share it as it is, and the
 * first of them that writes to it moves to a copy. So a child that only execs
 * or exits costs no copy.
 *
 *	lend   before the fork. False: it may not be lent
 *	own    before any write: move if it is lent
 *	keep   own it, and do not lend it from now on
 *
 * If a thread fills a block while another one moves, its writes are lost. So
 * the host says whether code memory can be lent (cof_host.fork_shares_code).
 * The loop writes at any time, so an instance with the loop on keeps its code
 * memory.
 */
bool cof_codemem_lend(struct cof_codemem *mem);
void cof_codemem_own(struct cof_codemem *mem);
void cof_codemem_keep(struct cof_codemem *mem);

const struct cof_code_range *cof_codemem_range(const struct cof_codemem *mem);

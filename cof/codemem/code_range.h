/*
 * code_range.h - one range of addresses for code, mapped twice
 *
 * Process-wide: it takes address space. The lock is the owner's (codemem.h).
 */
#ifndef COF_CODEMEM_CODE_RANGE_H
#define COF_CODEMEM_CODE_RANGE_H

#include <stdbool.h>
#include <stddef.h>

struct cof_code_pages;

/*
 * The code range: [exec, exec + bytes) read+execute, the same pages at `write`
 * read+write; behind it, still in reach, [data, data + data_bytes) plain
 * read+write memory. Nothing is backed by memory before it is touched.
 */
struct cof_code_range {
	char  *exec, *write, *data;
	size_t bytes, data_bytes;
	int    closed;			/* nothing may be written or forgotten:
					 * what is at exec is the parent's */
};

/* 0 or -COF_E_NOMEM, -COF_E_PERM (no memfd, or no executable mappings). Sizes
 * are rounded up to pages; together they must stay below 2 GiB. `near` not NULL: in
 * reach of a rel32 from there, if there is room. */
int  cof_code_range_map(struct cof_code_range *range, size_t bytes,
			size_t data_bytes, const void *near);
void cof_code_range_unmap(struct cof_code_range *range);

/* Give [exec + offset, +bytes) back to the system; it reads as zero again. */
void cof_code_range_forget(struct cof_code_range *range, size_t offset,
			   size_t bytes);

/* -- Around fork(2) --------------------------------------------------------- */

/* Put them under exec and write. 0 or a negative cof_err; then neither or only
 * exec was done. */
int  cof_code_range_place(const struct cof_code_range *range,
			  const struct cof_code_pages *pages);

/* Take the writable alias away: a store there faults from now on. For good. */
void cof_code_range_close(struct cof_code_range *range);

/*
 * To a copy, away from memory that a fork left to parent and child; NULL: there is
 * none. Then a child closes the range, and what the parent writes its children see:
 * it never frees code again.
 */
void cof_code_range_part(struct cof_code_range *range,
			 const struct cof_code_pages *copy, bool in_child);

#endif /* COF_CODEMEM_CODE_RANGE_H */

/*
 * code_range.h - one range of addresses for code, mapped twice
 *
 * Process-wide, since it takes address space. Its owner locks it (codemem.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cof_code_pages;

#define COF_CODE_AREAS 2	/* that grow from different ends */

/*
 * The code range:
 *
 *	[exec, exec + bytes)       read+execute
 *	[write, write + bytes)     the same pages, read+write
 *	[data, data + data_bytes)  directly after exec: plain memory, read+write
 *
 * No page is backed by memory before it is touched.
 */
struct cof_code_range {
	char  *exec, *write, *data;
	size_t bytes, data_bytes;
	int    closed;			/* nothing may be written or forgotten:
					 * the parent owns the pages at exec */
	struct cof_code_dumped {
		size_t from, to;
	} dumped[COF_CODE_AREAS];	/* what a core file has of exec */
};

/*
 * How much of these sizes, in bytes, a range near that memory may have: a
 * program that lives below 2 GiB (-no-pie) has what it maps at fixed addresses,
 * what it asks for with MAP_32BIT, and its heap there too. So then at most one
 * part in 16 of these addresses.
 */
void cof_code_range_limit(size_t *bytes, size_t *data_bytes, const void *near,
			  size_t near_bytes);

/*
 * Sizes are in bytes, and rounded up to pages; together they must stay below 2
 * GiB. If `near` is not NULL, the range is in reach of a rel32 from each of the
 * `near_bytes` bytes there (0: of one), where addresses are free, or else its
 * code is, or else its code is from the first of them. Below 2 GiB it is as
 * high as possible. 0, -COF_E_NOMEM, or
 * -COF_E_PERM: no memfd, or no executable mappings.
 */
int  cof_code_range_map(struct cof_code_range *range, size_t bytes,
			size_t data_bytes, const void *near, size_t near_bytes);
void cof_code_range_unmap(struct cof_code_range *range);

/* Does a rel32 in any of its code reach each of these bytes, and back? */
bool cof_code_range_reaches(const struct cof_code_range *range,
			    const void *near, size_t near_bytes);

/* Give [exec + offset, + bytes) back to the system; it reads as zero again. */
void cof_code_range_forget(struct cof_code_range *range, size_t offset,
			   size_t bytes);

/*
 * There is code at [exec + from, exec + to): a core file is to have it. The
 * kernel would write all of a shared mapping, and give it memory for that. So
 * core files have the code alone, and of one area what lies between the bytes
 * that were named.
 */
void cof_code_range_dump(struct cof_code_range *range, unsigned area,
			 size_t from, size_t to);

/* -- Around fork(2) -------------------------------------------------------- */

/* Remove the writable alias for good: a store there faults from now on. */
void cof_code_range_close(struct cof_code_range *range);

/*
 * Move to `copy` from pages that parent and child share since a fork. NULL:
 * there is no copy. Without one, or if it cannot be mapped, they go on sharing.
 * A child closes the range then, as does a parent whose copy cannot be mapped.
 * The parent never frees code again, since its children see what it writes.
 */
void cof_code_range_part(struct cof_code_range *range,
			 const struct cof_code_pages *copy, bool in_child);

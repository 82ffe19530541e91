/*
 * code_pages.h - memory that can be mapped at two addresses
 *
 * Thread: any. A struct cof_code_pages belongs to its owner, which locks it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Memory for a code range, before it is mapped there. It is a memfd. Where
 * there can be no such file of that size, it is shared memory, mapped at `map`.
 */
struct cof_code_pages {
	int    fd;	/* negative: no memfd */
	char  *map;	/* NULL: no shared memory */
	size_t bytes;
};

#define COF_CODE_PAGES_NONE (struct cof_code_pages){ .fd = -1 }

/* 0 or a negative cof_err. */
int  cof_code_pages_new(struct cof_code_pages *pages, size_t bytes);

/* Close and unmap. Mappings that cof_code_pages_map() made stay. */
void cof_code_pages_free(struct cof_code_pages *pages);

/*
 * Map the pages at [at, at + bytes), over the mapping that is there. False:
 * errno says why.
 */
bool cof_code_pages_map(const struct cof_code_pages *pages, char *at, int prot);

/*
 * Copy memory[from, to) to the same offsets of the pages. 0 or a negative
 * cof_err.
 */
int  cof_code_pages_write(const struct cof_code_pages *pages,
			  const char *memory, size_t from, size_t to);

/*
 * The cof_err for an errno of mmap() and its kin: -COF_E_NOMEM or -COF_E_PERM.
 */
int  cof_code_pages_error(int err);

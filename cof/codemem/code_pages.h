/*
 * code_pages.h - memory that can be mapped at two addresses
 *
 * Thread: any; each is its owner's.
 */
#ifndef COF_CODEMEM_CODE_PAGES_H
#define COF_CODEMEM_CODE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Memory for a range, not in it yet: a memfd, or, where the process may not make
 * a file so large (RLIMIT_FSIZE), shared memory that is mapped somewhere.
 */
struct cof_code_pages {
	int    fd;	/* negative: no memfd */
	char  *map;	/* NULL: no shared memory */
	size_t bytes;
};

#define COF_CODE_PAGES_NONE (struct cof_code_pages){ .fd = -1 }

/* 0 or a negative cof_err. */
int  cof_code_pages_new(struct cof_code_pages *pages, size_t bytes);

/* What was put into a range stays there. */
void cof_code_pages_free(struct cof_code_pages *pages);

/* Show them at [at, at + bytes), which is mapped already. False: errno says why. */
bool cof_code_pages_map(const struct cof_code_pages *pages, char *at, int prot);

/* Write memory[from, to) to the same place in them. 0 or a negative cof_err. */
int  cof_code_pages_write(const struct cof_code_pages *pages, const char *memory,
			  size_t from, size_t to);

/* What an errno of the kernel's means here: -COF_E_NOMEM or -COF_E_PERM. */
int  cof_code_pages_error(int err);

#endif /* COF_CODEMEM_CODE_PAGES_H */

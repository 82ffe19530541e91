/*
 * jitpage.h - the versions that have code in one page of addresses
 *
 * What the index keeps for a page is a word:
 *
 *	0                 no code
 *	version | 1       one version: no memory but the word itself, which is
 *	                  what each page of a large version costs
 *	node              several: their first offsets, sorted, and the versions
 *
 * A node never changes but in one way: remove() overwrites a version in it with
 * NULL, so that it needs no memory and cannot fail. with() makes a new one and
 * leaves the NULLs out.
 *
 *              find             overlaps, with, remove
 *   find       -                -
 *   others     -                code lock
 *
 * "-": safe together, if the reader got the word by an acquire load and is in a
 * read section that the node's end waits for (jitinfo.c).
 *
 * A node that is out of the index is linked into a list by a field that find()
 * never reads, so that keeping it until then needs no memory.
 */
#ifndef COF_CODE_JITPAGE_H
#define COF_CODE_JITPAGE_H

#include <stdbool.h>
#include <stdint.h>

#define COF_JITPAGE_LG 12
#define COF_JITPAGE    ((uintptr_t)1 << COF_JITPAGE_LG)	/* bytes */

struct cof_version;
struct cof_jitpage_node;

/* The version that holds the address, if it is one of this page's; or NULL. */
struct cof_version *cof_jitpage_find(uintptr_t page, uintptr_t address);

/* Does the version's range overlap that of one that is in the page? */
bool cof_jitpage_overlaps(uintptr_t page, const struct cof_version *version);

/*
 * What becomes of the page at address `base` with this version, of which a part
 * is in it. The old word stays as it is. 0: no memory.
 */
uintptr_t cof_jitpage_with(uintptr_t page, uintptr_t base,
			   struct cof_version *version);

/* Take a version out. True: now the page is as good as 0. */
bool cof_jitpage_remove(uintptr_t page, const struct cof_version *version);

/* The node to free once nobody reads the page; NULL if it has none. */
struct cof_jitpage_node *cof_jitpage_node(uintptr_t page);

/* Where a list of such nodes is linked on: the owner's of the list. */
struct cof_jitpage_node **cof_jitpage_next(struct cof_jitpage_node *node);

#endif /* COF_CODE_JITPAGE_H */

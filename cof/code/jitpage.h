/*
 * jitpage.h - the versions that have code in one page of addresses
 *
 * The index has a word for a page:
 *
 *	0                 no code
 *	version | 1       one version: needs no memory but the word, so a page
 *	                  of a large version costs no more than that
 *	node              several: their first offsets, sorted, and the versions
 *
 * A node changes in one way only: remove() overwrites a version in it with
 * NULL, so that remove() needs no memory and cannot fail. with() makes a new
 * node and leaves the NULLs out.
 *
 *              find             overlaps, with, remove
 *   find       -                -
 *   others     -                code lock
 *
 * "-": safe together, if the reader got the word by an acquire load and is in a
 * read section for which the freeing of nodes waits (jitinfo.c).
 *
 * A node out of the index is linked into a list by a field that find() never
 * reads, so the list needs no memory.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define COF_JITPAGE_LG 12
#define COF_JITPAGE    ((uintptr_t)1 << COF_JITPAGE_LG)	/* bytes */

struct cof_version;
struct cof_jitpage_node;

/* The version of this page that holds the address, or NULL. */
struct cof_version *cof_jitpage_find(uintptr_t page, uintptr_t address);

/* Does the version's range overlap that of a version in the page? */
bool cof_jitpage_overlaps(uintptr_t page, const struct cof_version *version);

/*
 * The word of the page at address `base` with this version, of which a part is
 * in the page. The old word stays as it is. Returns 0: no memory.
 */
uintptr_t cof_jitpage_with(uintptr_t page, uintptr_t base,
			   struct cof_version *version);

/* Take a version out. True: the page has none now, so its word may be 0. */
bool cof_jitpage_remove(uintptr_t page, const struct cof_version *version);

/* The page's node, to free once no thread reads it. NULL: it has none. */
struct cof_jitpage_node *cof_jitpage_node(uintptr_t page);

/* The link of a list of such nodes. It belongs to the owner of the list. */
struct cof_jitpage_node **cof_jitpage_next(struct cof_jitpage_node *node);

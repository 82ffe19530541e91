/*
 * references.h - the words in memory that lead to a method
 *
 *	call site    `call rel32` or `jmp rel32` in a version's code
 *	slot         a word of the host's, for example a vtable entry
 *
 * libcof rewrites both when the method's current version changes
 * (patcher/site.h, patcher/slot.h). The code lock guards what is marked [code].
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cof_method;

/* A call or jump that libcof may rewrite: an element of links.sites. */
struct cof_site {
	/* [code] */
	struct cof_site   *next;	/* with the same callee */
	struct cof_site  **link;	/* points to this one; NULL: it is in no
					 * list, and stays on the stub */
	/* Constant. */
	struct cof_method *callee;
	uintptr_t          rel32;	/* run-time address of the 4 bytes */
	struct cof_method *caller;	/* the method that it is in */
};

struct cof_slot {
	struct cof_slot    *next;	/* [code] */
	_Atomic(uintptr_t) *word;	/* the host's */
	uintptr_t           ours;	/* [code] what libcof last put there */
};

/*
 * What a version leads to. The arrays are constant once the version is in the
 * index. PRE and P/O read `inlined` without a lock.
 */
struct cof_version_links {
	struct cof_method **inlined;	/* array: methods whose bodies it has */
	struct cof_site    *sites;	/* array: its outgoing calls */
	uint32_t            left_alone;	/* cof->left_alone before it was built;
					 * for plan speed, which does not list
					 * what it has inlined */
	uint32_t            n_inlined;
	uint32_t            n_sites;
	bool                bound;	/* [code] its sites are kept current */
};

/*
 * site.h - the 4 bytes of a direct call, and where they lead
 *
 *	                     4 bytes in one cache line         across two
 *	callee has a version   its entry, rewritten whenever   the stub
 *	it has none            its stub  it changes            the stub
 *
 * A rewrite is one store (insn.h). A site whose callee's entry is out of reach
 * of its 32 bits leads to the stub too. While the callee is padded (counting_thunk.h) its
 * pad stands for its entry.
 *
 * Sites are rewritten until their own version is reclaimed, also while it is
 * retired: a frame that is still in there calls what is current.
 *
 * Thread: under the code lock.
 */
#ifndef COF_PATCHER_SITE_H
#define COF_PATCHER_SITE_H

#include <stdint.h>

#include "code/version.h"

/* Store the displacements of a version that nobody runs yet, and list its
 * sites with their callees. */
void cof_sites_bind(struct cof_version *version);

/* Undo: they are not rewritten any more. Fine for sites never bound. */
void cof_sites_unbind(struct cof_version *version);

/* Have all sites listed with the method lead to its entry. */
void cof_sites_follow(struct cof_method *method);

#endif /* COF_PATCHER_SITE_H */

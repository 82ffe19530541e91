/*
 * site.h - a call site: the 4 bytes of a direct call, and their target
 *
 *	                     4 bytes in one cache line         across two
 *	callee has a version   its entry, rewritten whenever   the stub
 *	it has none            its stub  it changes            the stub
 *
 * A rewrite is one store (insn.h). A site leads to the stub too if the callee's
 * entry is out of reach of its 32 bits. While callers go by the callee's thunk
 * (counting_thunk.h), the thunk takes the place of the entry. All sites of a
 * method that is left alone (left_alone.h) lead to its stub.
 *
 * Sites are rewritten until their own version is reclaimed, also while it is
 * retired: a frame that is still inside calls the current version of its
 * callee.
 *
 * Thread: under the code lock.
 */
#pragma once

struct cof_method;
struct cof_version;

/*
 * Store the displacements of a version that no thread runs yet, and list its
 * sites with their callees.
 */
void cof_sites_bind(struct cof_version *version);

/* Take the version's sites off these lists. They may never have been bound. */
void cof_sites_unbind(struct cof_version *version);

/* Lead all sites that are listed with the method to its entry. */
void cof_sites_follow(struct cof_method *method);

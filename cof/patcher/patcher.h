/*
 * patcher.h - make a version current, and take the former one out of reach
 *
 * The protocol (docs/patching.md): everything that can fail comes first; then,
 * under the code lock, stub, sites and slots are each rewritten with one
 * aligned store; then one membarrier(SYNC_CORE) for the batch. From there on
 * no thread can enter the former version, and it is reclaim's (reclaim/reclaim.h).
 */
#ifndef COF_PATCHER_PATCHER_H
#define COF_PATCHER_PATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"
#include "code/version.h"

/*
 * Check desc, make its record and call sites, enter it into the index. Nothing
 * leads to it yet. NULL: refused (counted as offered and as REFUSED), *err says
 * why and desc->block is still the caller's. Else it must go to install().
 */
struct cof_version *cof_patcher_prepare(struct cof_method *method,
					const struct cof_version_desc *desc,
					int *err);

/*
 * Make `version` current. `over` is the version it was built to replace; if the
 * method has another one by now nothing is changed and false is returned: the
 * version is retired as it is. NULL: replace whatever is there. `barrier`: end
 * the batch (else the caller does, with cof_barrier()).
 *
 * What is replaced is retired. But if versions are audited (cof->audit), `over`
 * is PARKED instead, and the audit's: see optimizer/trial/audit.h. So it is if
 * `version` counts: it will be current again soon (optimizer/instrumented/instrumented.h).
 *
 * The version's word is what the caller made of it since prepare(): for one
 * that replaces `over` it says how hot that is, divided by the expected
 * speed-up. With `over` NULL the former version's weight is copied, its flags
 * are not.
 *
 * Option dry_run concerns what replaces `over`: a host's own versions go in, or
 * its program could not start. Without a barrier (below) only a method's first
 * version goes in; others are counted as REFUSED.
 *
 * Counts one offered, and one installed or one drop. Any thread.
 */
bool cof_patcher_install(struct cof_version *version, struct cof_version *over,
			 bool barrier);

/* -- Versions beside the current one ---------------------------------------- */

/*
 * Make `to`, which is PARKED, current again in the place of `from`, which is
 * PARKED from then on. False, and nothing is changed: `from` is not current any
 * more, or nothing can be replaced now. The caller ends the batch. P/O.
 */
bool cof_patcher_switch(struct cof_version *to, struct cof_version *from);

/* Can anything be switched now? P/O. */
bool cof_patcher_can_switch(struct cof *cof);

/* `version`, from prepare(), is never to be current: a continuation. Its sites
 * are bound and kept current; PARKED. */
void cof_patcher_beside(struct cof_version *version);

/* Retire a PARKED version. Any thread. */
void cof_patcher_retire(struct cof_version *version);

/*
 * Lead callers of the method to its pad, or past it again; the caller ends the
 * batch. False, and nothing is changed: no room, no version, or nothing can be
 * replaced now.
 */
bool cof_patcher_thunk(struct cof_method *method, enum cof_thunked how);

/* The method's pad counts who comes in, or does not. There is one. */
void cof_patcher_count(struct cof_method *method, bool on);

/* The method is part of one trial more, or less: what calls padded methods from
 * there is not counted. Callees follow when they are next padded. */
void cof_patcher_inside(struct cof_method *method, bool more);

#endif /* COF_PATCHER_PATCHER_H */

/*
 * patcher.h - make a version current, and the former one unreachable
 *
 * The protocol (docs/patching.md):
 *
 *	1  everything that can fail
 *	2  under the code lock: rewrite stub, sites and slots, each with one
 *	   aligned store
 *	3  one membarrier(SYNC_CORE) for the batch
 *
 * From then on no thread can enter the former version, and reclaim frees it
 * (reclaim/reclaim.h).
 */
#pragma once

#include <stdbool.h>

#include "code/version.h"
#include "cof.h"

/*
 * Check desc, make its record and call sites, enter it into the index. Nothing
 * leads to it yet, and the caller must hand it to cof_patcher_install() or
 * cof_patcher_beside(). NULL: it is refused, and counted as offered and as
 * REFUSED; *err says why, and the caller still owns desc->block. Any thread.
 */
struct cof_version *cof_patcher_prepare(struct cof_method *method,
					const struct cof_version_desc *desc,
					int *err);

/*
 * Make `version` current. `over` is the version that it was built to replace;
 * NULL: replace whatever is current. False: the method has another current
 * version by now, or one of the reasons below; nothing is changed, and
 * `version` is retired. `barrier`: end the batch; otherwise the caller does,
 * with cof_barrier().
 *
 * The replaced version is retired. But `over` is PARKED instead if versions are
 * audited (cof->audit), and then the audit owns it (optimizer/trial/audit.h).
 * It is PARKED as well if `version` counts, since it is current again soon
 * (optimizer/instrumented/instrumented.h).
 *
 * The caller sets the version's word after prepare(): for a version that
 * replaces `over`, how hot `over` is, divided by the expected speed-up. With
 * `over` NULL, the former version's weight is copied, and its flags are not.
 *
 * Option dry_run drops versions that replace `over`. A host's own versions are
 * installed, or its program could not start. Where there is no barrier, only a
 * method's first version is installed; others are counted as REFUSED.
 *
 * Counts one offered, and one installed or one drop. Any thread.
 */
bool cof_patcher_install(struct cof_version *version, struct cof_version *over,
			 bool barrier);

/* -- Versions beside the current one --------------------------------------- */

/*
 * Make `to`, which is PARKED, current again in place of `from`, which is then
 * PARKED. False, and nothing is changed: `from` is not current any more, or
 * nothing can be replaced now. The caller ends the batch. P/O.
 */
bool cof_patcher_switch(struct cof_version *to, struct cof_version *from);

/* Can anything be switched now? P/O. */
bool cof_patcher_can_switch(struct cof *cof);

/*
 * `version`, from prepare(), is a continuation and never becomes current. It is
 * PARKED; its sites are bound and kept current.
 */
void cof_patcher_beside(struct cof_version *version);

/* Retire a PARKED version. Any thread. */
void cof_patcher_retire(struct cof_version *version);

/*
 * Lead callers of the method to its thunk, or past it again; the caller ends
 * the batch. False, and nothing is changed: no memory, no version, or nothing
 * can be replaced now.
 */
bool cof_patcher_thunk(struct cof_method *method, enum cof_thunked how);

/* The method's thunk, which exists, counts entries or does not. */
void cof_patcher_count(struct cof_method *method, bool on);

/*
 * The method is part of one trial more, or less: its calls of methods with a
 * thunk are not counted. This takes effect when such a callee is next led to
 * its thunk.
 */
void cof_patcher_inside(struct cof_method *method, bool more);

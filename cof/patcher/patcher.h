/*
 * patcher.h - make a version current, and take the former one out of reach
 *
 * The protocol (docs/patching.md): everything that can fail comes first; then,
 * under the code lock, stub, sites and slots are each rewritten with one aligned
 * store; then one membarrier(SYNC_CORE) for the batch. From there on no thread
 * can enter the former version, and it is reclaim's (reclaim.h).
 */
#ifndef COF_PATCHER_PATCHER_H
#define COF_PATCHER_PATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"

struct cof_version;

/*
 * Check desc, make its record and call sites. Nothing leads to it yet. NULL:
 * refused, *err says why and desc->block is still the caller's.
 */
struct cof_version *cof_patcher_prepare(struct cof_method *method,
					const struct cof_version_desc *desc,
					int *err);

/*
 * Make `version` current. `over` is the version it was built to replace; if the
 * method has another one by now nothing is changed and false is returned: the
 * version is retired as it is. NULL: replace whatever is there. `barrier`: end
 * the batch (else the caller does, with cof_patcher_barrier()).
 *
 * Counts one offered, and one installed or one drop.
 */
bool cof_patcher_install(struct cof_version *version, struct cof_version *over,
			 bool barrier);

/* End a batch: after this no thread runs what was replaced as an entry. */
void cof_patcher_barrier(struct cof *cof);

#endif /* COF_PATCHER_PATCHER_H */

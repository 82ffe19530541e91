/*
 * retire.h - retire a version that nothing leads to any more
 *
 * It waits in cof->retired until a round of reclaim takes it
 * (reclaim/reclaim.h).
 */
#pragma once

#include <stdint.h>

struct cof;
struct cof_version;

/* Make `version` DEAD and RETIRED. Any thread, under the code lock. */
void cof_retire(struct cof *cof, struct cof_version *version);

/* Count `version`, which is RETIRED, among those that reclaim frees. Under the
 * code lock. */
void cof_retire_count(struct cof *cof, const struct cof_version *version);

/* Bytes of code memory that become free with the version. */
uint64_t cof_retire_bytes(const struct cof_version *version);

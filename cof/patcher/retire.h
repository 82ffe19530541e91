/*
 * retire.h - take a version that nothing leads to any more
 *
 * It waits in cof->retired until a round of reclaim takes it from there
 * (reclaim/reclaim.h).
 */
#ifndef COF_PATCHER_RETIRE_H
#define COF_PATCHER_RETIRE_H

#include <stdint.h>

struct cof;
struct cof_version;

/* It is DEAD and RETIRED from now on. Any thread, code lock held. */
void cof_retire(struct cof *cof, struct cof_version *version);

/* Bytes of code memory that are free once the version is. */
uint64_t cof_retire_bytes(const struct cof_version *version);

#endif /* COF_PATCHER_RETIRE_H */

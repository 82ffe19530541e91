/*
 * rlimits.h - how much address space libcof may reserve
 *
 * Where a process may not have all addresses (`ulimit -v`, `ulimit -d`), what libcof
 * reserves is taken from the program. Thread: any.
 */
#ifndef COF_MEMORY_RLIMITS_H
#define COF_MEMORY_RLIMITS_H

#include <stdint.h>

/* `bytes`, but at most a `part`-th of the addresses the process may have, or of its
 * private memory that can be written. */
uint64_t cof_rlimits_addresses(uint64_t bytes, unsigned part);
uint64_t cof_rlimits_data(uint64_t bytes, unsigned part);

#endif /* COF_MEMORY_RLIMITS_H */

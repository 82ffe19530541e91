/*
 * rlimits.h - how much address space libcof may reserve
 *
 * If the process's addresses are limited (`ulimit -v`, `ulimit -d`), the
 * program cannot have what libcof reserves. Thread: any.
 */
#pragma once

#include <stdint.h>

/* `bytes`, but at most 1/part of the addresses that the process may have. */
uint64_t cof_rlimits_addresses(uint64_t bytes, unsigned part);

/* The same, and at most 1/part of the private memory that it may write. */
uint64_t cof_rlimits_data(uint64_t bytes, unsigned part);

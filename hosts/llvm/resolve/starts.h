/*
 * starts.h - what runs in an executable before and after main()
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called for each constructor and destructor that the executable lists. False:
 * stop. */
typedef bool cofl_starts_fn(void *arg, uint64_t address);

/* False: `fn` stopped it. */
bool cofl_starts_each(const char *bytes, size_t n_bytes, cofl_starts_fn *fn,
		      void *arg);

/* DT_INIT, DT_FINI or 0; and where the program begins. */
uint64_t cofl_starts_dynamic(const char *bytes, size_t n_bytes, int64_t tag);
uint64_t cofl_starts_entry(const char *bytes);

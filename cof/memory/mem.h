/*
 * mem.h - libcof's own memory, counted
 *
 * It is malloc(3)'s. Bytes and blocks are counted in stage memory of
 * base/flow.def.
 *
 * Thread: any, but not a signal handler.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cof_flow_memory;

/*
 * From now on store the process's totals in *flow too. NULL: store them nowhere
 * any more. Called by cof_start().
 */
void  cof_mem_account(struct cof_flow_memory *flow);

/* Store them in *flow no more. No thread writes to it after this returns. */
void  cof_mem_unaccount(const struct cof_flow_memory *flow);

/*
 * Allocate a zeroed block, aligned to a cache line if it is at least that
 * large. NULL: no memory.
 */
void *cof_mem_alloc(size_t size_bytes);

/* As realloc(3), but the new part is zeroed, and size 0 frees nothing. */
void *cof_mem_realloc(void *p, size_t size_bytes);

/*
 * Make room for n elements of `bytes` each in the array that the pointer at
 * `array` leads to. *room is how many there is room for; it at least doubles.
 * False: no memory, and nothing has changed.
 */
bool  cof_mem_reserve(void *array, uint32_t *room, uint32_t n, size_t bytes);

void  cof_mem_free(void *p);
char *cof_mem_strdup(const char *s);

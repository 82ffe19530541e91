/*
 * mem.h - libcof's own memory, counted
 *
 * If the process runs on jemalloc, libcof allocates from an arena of its own,
 * so that its cost can be read and its blocks do not sit between the program's;
 * otherwise from malloc. Either way bytes and blocks are counted in base/flow.def's
 * memory stage.
 *
 * Thread: any, but not a signal handler.
 */
#ifndef COF_MEMORY_MEM_H
#define COF_MEMORY_MEM_H

#include <stddef.h>

struct cof_flow_memory;

/*
 * Show the process's totals in *flow from now on, besides those it is shown in
 * already (NULL: in none any more). Called by cof_start().
 */
void  cof_mem_account(struct cof_flow_memory *flow);

/* Not in this one any more. On return nobody writes to it. */
void  cof_mem_unaccount(const struct cof_flow_memory *flow);

/* Zeroed, aligned to a cache line if size is at least one. NULL: no memory. */
void *cof_mem_alloc(size_t size_bytes);

/* As realloc(3); the new part is zeroed. */
void *cof_mem_realloc(void *p, size_t size_bytes);

void  cof_mem_free(void *p);
char *cof_mem_strdup(const char *s);

/* Give pages of the arena that are free back to the kernel, and what the calling
 * thread has set aside. Without jemalloc this does nothing: malloc_trim(3) would
 * hold up the program's own threads. */
void  cof_mem_trim(void);

#endif /* COF_MEMORY_MEM_H */

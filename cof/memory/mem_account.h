/*
 * mem_account.h - how much memory libcof has, for the stats files
 *
 * Thread: any, but not a signal handler.
 */
#pragma once

#include <stddef.h>

/* Add to the totals. Sizes are as the allocator rounds them; negated to
 * subtract. */
void cof_mem_account_count(size_t bytes, size_t blocks);

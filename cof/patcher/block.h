/*
 * block.h - cof_code_alloc() and its like, and their counters
 */
#ifndef COF_PATCHER_BLOCK_H
#define COF_PATCHER_BLOCK_H

struct cof;

/* Show what code memory has. Under the code lock. */
void cof_block_count(struct cof *cof);

#endif /* COF_PATCHER_BLOCK_H */

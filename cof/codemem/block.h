/*
 * block.h - cof_code_alloc() and its like, and their counters
 */
#ifndef COF_CODEMEM_BLOCK_H
#define COF_CODEMEM_BLOCK_H

struct cof;

/* Show what code memory has. Under the code lock. */
void cof_block_count(struct cof *cof);

#endif /* COF_CODEMEM_BLOCK_H */

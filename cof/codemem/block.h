/*
 * block.h - the counters of code memory; block.c has the host's calls
 */
#ifndef COF_CODEMEM_BLOCK_H
#define COF_CODEMEM_BLOCK_H

struct cof;

/* Store the sizes of code memory in the counters. Under the code lock. */
void cof_block_count(struct cof *cof);

#endif /* COF_CODEMEM_BLOCK_H */

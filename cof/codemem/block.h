/*
 * block.h - the counters of code memory; block.c has the host's calls
 */
#pragma once

struct cof;

/* Store the sizes of code memory in the counters. Under the code lock. */
void cof_block_count(struct cof *cof);

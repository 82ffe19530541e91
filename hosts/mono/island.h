/*
 * island.h - jumps to anywhere, in reach of a place
 */
#ifndef COFM_ISLAND_H
#define COFM_ISLAND_H

/* Code in reach of a rel32 from `near` that jumps to `to`; it lives for ever.
 * NULL: no address space there. Under host->compiling. */
const void *cofm_island(const void *near, const void *to);

#endif /* COFM_ISLAND_H */

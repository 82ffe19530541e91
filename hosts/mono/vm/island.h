/*
 * island.h - islands: jumps to anywhere, within reach of a place
 */
#ifndef COFM_VM_ISLAND_H
#define COFM_VM_ISLAND_H

/* Code that jumps to `to`, within reach of a rel32 from `near`. It is never
 * freed. NULL: there is no address space in reach. Under host->compiling. */
const void *cofm_island(const void *near, const void *to);

#endif /* COFM_VM_ISLAND_H */

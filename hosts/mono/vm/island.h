/*
 * island.h - islands: jumps to anywhere, within reach of a place
 */
#pragma once

/* Code that jumps to `to`, within reach of a rel32 from `near`. It is never
 * freed. NULL: there is no address space in reach. Under host->compiling. */
const void *cofm_island(const void *near, const void *to);

/*
 * idle_release.h - what LLVM keeps while nothing is built: as little as can be
 *
 * The copies of the bitcode go with their contexts; the guest threads' one stays
 * as long as a method has no first version. Opening one again takes some
 * milliseconds.
 */
#pragma once

/* cof_host.rest. */
void cofl_idle_release(void *ctx);

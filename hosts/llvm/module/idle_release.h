/*
 * idle_release.h - free what LLVM needs only while something is built
 *
 * The copies of the bitcode are freed, with their contexts. Opening one again
 * takes some milliseconds.
 */
#pragma once

/* cof_host.release_idle */
void cofl_idle_release(void *ctx);

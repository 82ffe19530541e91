/*
 * idle_release.h - free what LLVM needs only while something is built
 *
 * The copies of the bitcode are freed, with their contexts. The guest threads'
 * copy stays as long as a method has no first version. Opening a copy again
 * takes some milliseconds.
 */
#pragma once

/* cof_host.release_idle */
void cofl_idle_release(void *ctx);

/*
 * finish.h - in place of the program: have built what its runs left
 *
 * A short run of a large program counts, and is over before LLVM has built what
 * it counted for. `runtime --cof-finish` executes the program as for a run, so
 * that the host finds the executable where a run does; but none of its code
 * runs. What is built goes to the cache of versions.
 */
#pragma once

/* Ends the process: with 0, or with 1 if libcof cannot take part, after one
 * line. In the constructor of libcof-preload.so. */
_Noreturn void finish_run(const char *program);

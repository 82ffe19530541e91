/*
 * cofl.h - the LLVM host: run a program that is LLVM bitcode
 *
 * One program per process: it gets the process's libc, its exit handlers and its
 * standard streams, as a native one would.
 */
#ifndef COFL_H
#define COFL_H

#include <stdbool.h>
#include <stddef.h>

#include "cof.h"

struct cofl;

#define COFL_WHY_BYTES 512

/* Does the file begin like bitcode? False too if it cannot be read. */
bool cofl_is_bitcode(const char *path);

/*
 * Open the program and start libcof with `options` (cof_start()); log, if not
 * NULL, gets the lines of option verbose. The calling thread is attached: it is
 * the program's main thread. NULL: why says in one line what is wrong.
 *
 * Damage that shows only in a function's body is met when that function first
 * runs; then, as for whatever LLVM cannot compile, the process ends with one
 * line on stderr and status 1.
 */
struct cofl *cofl_open(const char *path, const char *options,
		       void (*log)(const char *line),
		       char why[COFL_WHY_BYTES]);

/*
 * Run constructors, then main(argc, argv, environ). Returns what main returned,
 * to be passed to exit(3), which runs the destructors.
 */
int  cofl_main(struct cofl *host, int argc, char **argv, char **envp);

struct cof *cofl_cof(struct cofl *host);

/* A thread of the program begins or ends; the calling one. */
void cofl_thread_enter(struct cofl *host);
void cofl_thread_leave(struct cofl *host);

#endif /* COFL_H */

/*
 * interpose.h - threads of the program are attached to libcof
 *
 * Process-wide: cof-llvm defines pthread_create(3) itself, so that threads
 * started by the program and by any shared library it uses (std::thread lives in
 * one) pass here; timer_create(2) and mq_notify(3), for which libc may start one; and
 * __cxa_atexit(), so that LLVM outlives the program's exit handlers.
 */
#ifndef INTERPOSE_H
#define INTERPOSE_H

#include <stdbool.h>

struct cofl;

/* From now on new threads belong to the program, and so does the calling one.
 * False: no memory. */
bool interpose_threads(struct cofl *host);

#endif /* INTERPOSE_H */

/*
 * interpose.h - threads of the program are attached to libcof
 *
 * Process-wide: `runtime` defines pthread_create(3) itself, so that threads
 * started by the program and by any shared library it uses (std::thread lives in
 * one) pass here; and __cxa_atexit(), so that LLVM outlives the program's exit
 * handlers.
 */
#ifndef INTERPOSE_H
#define INTERPOSE_H

struct cofl;

/* From now on new threads belong to the program. */
void interpose_threads(struct cofl *host);

#endif /* INTERPOSE_H */

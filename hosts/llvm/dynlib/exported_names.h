/*
 * exported_names.h - the program's names, where shared libraries look for theirs
 *
 *	link ---> open ------------------------> bind ------> constructors
 *	stubs,    dlopen: names, libraries,      the program  of libraries
 *	places    both ways visible              to both
 *
 * A program's functions and variables are in no object that the dynamic linker knows.
 * So it gets one that has their addresses and nothing else (memory_dso.h), needs the
 * program's libraries, and is opened into the global scope: libraries, linked with the
 * program or opened by it, find there what the executable exports. It comes before them
 * there, as an executable does, so what both define is the program's, but after libc,
 * libm, libgcc_s and libstdc++, which cof-llvm is linked with. Thread-local variables are
 * in another one before it (tls_names.h).
 *
 * Thread: the one that opens the program; finding is any thread's.
 */
#ifndef COFL_DYNLIB_EXPORTED_NAMES_H
#define COFL_DYNLIB_EXPORTED_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dynlib/dynamic.h"
#include "program/host.h"

/*
 * Open what the executable was linked with, with its names, which have addresses, and
 * call bind(arg), once. No object is made where no name is exported and all libraries
 * are there already; nor where there may be no such file (ulimit -f), and then libraries
 * do not find the names. The file's bytes are borrowed for good. False: why, and `bind`
 * may not have been called.
 */
bool cofl_exported_names_open(struct cofl *host, const struct cofl_dynamic *dynamic,
		     void (*bind)(void *arg), void *arg, char *why,
		     size_t why_bytes);

/* An exported name, first of all of the program; NULL: it has none such. */
void *cofl_exported_names_own(const char *name);

/* The same name of a library's: dlsym(RTLD_NEXT, name), the program being the caller. */
void *cofl_exported_names_next(const char *name);

/* Where the program's variables are, constants among them. 0 bytes: not known yet. */
uintptr_t cofl_exported_names_data(uint64_t *bytes);

/* Is it in a variable of the program, or between some? */
bool cofl_exported_names_is_data(const void *address);

/* Where the object is, with its ELF header; NULL: none was made. */
void *cofl_exported_names_base(void);

#endif /* COFL_DYNLIB_EXPORTED_NAMES_H */

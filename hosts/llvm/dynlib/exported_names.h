/*
 * exported_names.h - make the program's names visible to shared libraries
 *
 *	link ---> open ------------------------> bind ------> constructors
 *	stubs,    dlopen: names, libraries,      the program  of libraries
 *	places    both ways visible              to both
 *
 * The dynamic linker knows no object that contains the program's functions and
 * variables. So cof-llvm makes one that has their addresses and nothing else
 * (dynlib/memory_dso.h). It needs the program's libraries and is opened into
 * the global scope. There libraries find what the executable exports, whether
 * they were linked with the program or opened by it.
 *
 * Search order: libc, libm, libgcc_s and libstdc++, which cof-llvm is linked
 * with; then this object; then the program's libraries. So, as with an
 * executable, a name that the program and one of its libraries define is the
 * program's. Thread-local variables have an object of their own before this one
 * (dynlib/tls_names.h).
 *
 * Thread: the one that opens the program. The finding functions: any.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dynlib/dynamic.h"
#include "program/host.h"

/*
 * Open the executable's libraries, with the program's names, which have
 * addresses, and call bind(arg) once. No object is made if the program exports
 * no name and all libraries are loaded already. None is made either if no file
 * may be so large (ulimit -f); then libraries do not find the names. The file's
 * bytes are borrowed for good. False: `why` has the reason, and `bind` may not
 * have been called.
 */
bool cofl_exported_names_open(struct cofl *host,
			      const struct cofl_dynamic *dynamic,
			      void (*bind)(void *arg), void *arg, char *why,
			      size_t why_bytes);

/* The address of a name that the program exports; NULL: it does not. */
void *cofl_exported_names_own(const char *name);

/* dlsym(RTLD_NEXT, name) as called by the program: the address in a library. */
void *cofl_exported_names_next(const char *name);

/* The range of the program's variables and constants. 0 bytes: not known
 * yet. */
uintptr_t cofl_exported_names_data(uint64_t *bytes);

/* Is the address in that range? */
bool cofl_exported_names_is_data(const void *address);

/* The address of the object's ELF header; NULL: no object was made. */
void *cofl_exported_names_base(void);

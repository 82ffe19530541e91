/*
 * rpath.h - search the program's libraries: DT_RUNPATH, DT_RPATH, $ORIGIN
 *
 * If the program calls dlopen(3), the dynamic linker takes cof-llvm for the
 * caller, which has none of these tags. So this does what the dynamic linker
 * would do for the program's executable; see ld.so(8).
 */
#pragma once

#include "dynlib/dynamic.h"

/* Once, before the other functions. `program` is its path, borrowed for
 * good. */
void cofl_rpath_init(const struct cofl_dynamic *dynamic, const char *program);

/* The program's directories, with $ORIGIN replaced; NULL: it has none.
 * Borrowed. */
const char *cofl_rpath_dirs(void);

/* dlopen(3), as called by the program. Thread: any. */
void *cofl_rpath_open(const char *name, int flags);

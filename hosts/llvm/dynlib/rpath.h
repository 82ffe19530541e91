/*
 * rpath.h - where the program's libraries are looked for: DT_RUNPATH, DT_RPATH, $ORIGIN
 *
 * To the dynamic linker whoever calls dlopen(3) from the program is cof-llvm, which has
 * none of these. So what it would do for the program's executable is done here; see
 * ld.so(8).
 */
#ifndef COFL_DYNLIB_RPATH_H
#define COFL_DYNLIB_RPATH_H

#include "dynlib/dynamic.h"

/* Of the program at this path, which is borrowed for good. Once. */
void cofl_rpath_init(const struct cofl_dynamic *dynamic, const char *program);

/* Its folders, $ORIGIN replaced; NULL: it has none. */
const char *cofl_rpath_dirs(void);

/* dlopen(3), called by the program. Any thread. */
void *cofl_rpath_open(const char *name, int flags);

#endif /* COFL_DYNLIB_RPATH_H */

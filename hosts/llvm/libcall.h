/*
 * libcall.h - functions that the compiler calls where the program does not
 */
#ifndef COFL_LIBCALL_H
#define COFL_LIBCALL_H

#include "host.h"

/*
 * Look them up, before the program runs. dlsym(3) takes the dynamic linker's lock, and
 * a thread that opens a library holds it while constructors run: these may call the
 * program (scope.h), whose first versions wait for whoever builds and looks up a name.
 */
void cofl_libcalls_find(struct cofl *host);

#endif /* COFL_LIBCALL_H */

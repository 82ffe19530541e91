/*
 * libcall.h - functions that the compiler calls where the program does not
 */
#pragma once

#include "program/host.h"

/*
 * Look them up, before the program runs. dlsym(3) takes the dynamic linker's lock, and
 * a thread that opens a library holds it while constructors run: these may call the
 * program (dynlib/exported_names.h), whose first versions wait for whoever builds and looks up a name.
 */
void cofl_libcalls_find(struct cofl *host);

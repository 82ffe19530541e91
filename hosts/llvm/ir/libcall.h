/*
 * libcall.h - functions that the compiler calls where the program does not
 */
#pragma once

#include "program/host.h"

/*
 * Look them up, before the program runs. dlsym(3) takes the dynamic linker's
 * lock. A thread that opens a library holds that lock while constructors run.
 * These may call the program (dynlib/exported_names.h), whose first versions
 * wait for the thread that builds and looks up a name.
 */
void cofl_libcalls_find(struct cofl *host);

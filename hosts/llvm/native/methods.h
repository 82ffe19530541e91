/*
 * methods.h - native functions as libcof's methods
 *
 * The executable's code of a function is its version 0. Before a method gets
 * another version its entry is redirected to the method's stub, for good; what
 * stands for version 0 then is a copy of its first instruction, and a jump
 * behind it (native/entry.h, cof_version_copy()).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "native/executable.h"

struct cofl;
struct cofl_method;

/* Make host->method, and add each with its version 0. 0, or a cof_err. */
int cofl_methods_add(struct cofl *host,
		     const struct cofl_executable *executable);

/* The entry leads to the method's stub from now on, if it can; false: it
 * cannot, and nothing is to be built. Thread: workers, P/O; takes a lock. */
bool cofl_methods_take_over(struct cofl_method *m);

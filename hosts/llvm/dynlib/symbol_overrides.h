/*
 * symbol_overrides.h - symbols of libc and the compiler that dlsym(3) must not
 * resolve
 *
 * Stand-ins replace functions. Hazards are functions after which code is never
 * freed.
 */
#pragma once

#include <stdint.h>

struct cofl;
struct cofl_method;

/*
 * The address of the stand-in for `name`; 0: there is none, ask dlsym(3). There
 * are stand-ins for what is in libc's static part (atexit and the like), for
 * thread-local variables, and for sigaction(2) and its kin, which must not take
 * the sampling signal away.
 */
uintptr_t cofl_symbol_overrides_find(const char *name);

/*
 * Why code must never be freed if the program refers to `name`: the function
 * switches stacks, or starts threads that libcof does not see. NULL: there is
 * no reason. If the function may start threads, this also calls
 * single_threaded_end().
 */
const char *cofl_symbol_overrides_hazard(const char *name);

/* Builds first versions of a method and of all that it calls by name. */
typedef void cofl_symbol_overrides_build(struct cofl_method *method);

/* `host` has the methods that may become signal handlers. The stand-in for
 * sigaction(2) calls `build` for a new handler before the handler can run. */
void cofl_symbol_overrides_init(struct cofl *host,
				cofl_symbol_overrides_build *build);

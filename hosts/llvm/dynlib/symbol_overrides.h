/*
 * symbol_overrides.h - names of libc and the compiler that do not mean what dlsym(3) says
 */
#ifndef COFL_DYNLIB_SYMBOL_OVERRIDES_H
#define COFL_DYNLIB_SYMBOL_OVERRIDES_H

#include <stdint.h>

struct cofl;
struct cofl_method;

/*
 * The address of our stand-in for `name`, or 0: ask dlsym(3). Stand-ins are for
 * what libc keeps in its static part (atexit and the like), for thread-local
 * variables, and for sigaction(2) and its kin, which must not take the sampling
 * signal away.
 */
uintptr_t cofl_symbol_overrides_find(const char *name);

/*
 * Why code must never be freed if the program mentions `name`: functions that
 * switch stacks or start threads behind our back. NULL: no reason. What may start
 * threads ends single_threaded_is() as well.
 */
const char *cofl_symbol_overrides_hazard(const char *name);

/* Build first versions of a method and of all it calls by name. */
typedef void cofl_symbol_overrides_build(struct cofl_method *method);

/* The host whose methods may become handlers: a sigaction() stand-in has a new
 * handler built before it can run. */
void cofl_symbol_overrides_init(struct cofl *host, cofl_symbol_overrides_build *build);

#endif /* COFL_DYNLIB_SYMBOL_OVERRIDES_H */

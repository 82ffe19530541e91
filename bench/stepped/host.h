/*
 * host.h - the host of drawn methods: its code says which version ran
 *
 * A version is a dozen bytes of code that return its record, and a call, which
 * libcof binds to the callee. Builds take the machine's time.
 */
#pragma once

#include "bench/stepped/method.h"

/* The callbacks for machine_start(). `cof`: where its instance will be. */
struct cof_host host_of(struct cof **cof);

/*
 * Add the method; and, once its callee is added, its version of tier 0. Without
 * memory they end the process.
 */
void host_add(struct cof *cof, struct method *method);
void host_compile(struct cof *cof, struct method *method);

/* Enter the method `n` times, or the callee of a version that does not inline
 * it. Returns the version that is entered. */
struct version *host_enter(const struct method *method, uint32_t n);
struct version *host_enter_callee(const struct version *version, uint32_t n);

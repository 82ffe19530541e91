/*
 * check.h - is this the Mono whose insides are known?
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "compile/body.h"

/* Does Mono say that it is the known build? False: `why` says in one line what
 * it says. Any time. */
bool cofm_check(char *why, size_t why_bytes);

/* Do Mono's structures match? Once Mono runs, on a thread of Mono's. `why` as
 * above. */
bool cofm_check_running(MonoDomain *domain, char *why, size_t why_bytes);

/* Is `body`, read at known offsets, what Mono's table says? After each
 * compilation; inside cofm_attach_enter(). */
bool cofm_check_body(const struct cofm_body *body);

/*
 * check.h - is this the Mono whose insides are known?
 */
#ifndef COFM_CHECK_H
#define COFM_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "body.h"
#include "host.h"

/* False: `why` says in one line what is not as it should be. Any time. */
bool cofm_check(char *why, size_t why_bytes);

/* The same, of what shows when Mono runs. On a thread of Mono's. */
bool cofm_check_running(MonoDomain *domain, char *why, size_t why_bytes);

/* Was it read from where it is? After each compilation; inside cofm_enter(). */
bool cofm_check_body(MonoDomain *domain, const struct cofm_body *body);

#endif /* COFM_CHECK_H */

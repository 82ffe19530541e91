/*
 * check.h - is this the Mono whose insides are known?
 */
#ifndef COFM_CHECK_H
#define COFM_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* False: `why` says in one line what is not as it should be. Any time. */
bool cofm_check(char *why, size_t why_bytes);

#endif /* COFM_CHECK_H */

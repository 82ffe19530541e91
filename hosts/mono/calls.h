/*
 * calls.h - what a method's IL calls
 */
#ifndef COFM_CALLS_H
#define COFM_CALLS_H

#include "host.h"

/*
 * Fill in m's list of calls that always lead to one method which Mono could
 * inline if it were told to, and what else of its IL matters. Inside
 * cofm_enter(), before anybody else knows m; m->mono is set.
 */
void cofm_calls_read(struct cofm_method *m);

/* Fowler, Noll, Vo: FNV-1a. Go on from `hash`. */
#define COFM_HASH_START 0xcbf29ce484222325u
uint64_t cofm_hash(uint64_t hash, const void *bytes, size_t n);

#endif /* COFM_CALLS_H */

/*
 * calls.h - what a method's IL calls
 */
#pragma once

#include "vm/host.h"

/*
 * Read m's IL. Fills in the list of calls that always lead to one method which
 * Mono could inline if it were told to, and the program would not notice;
 * has_calls; and `shape`. m->mono is set, and no other thread knows m yet.
 * Inside cofm_attach_enter().
 */
void cofm_calls_read(struct cofm_method *m);

/* FNV-1a of Fowler, Noll and Vo, continued from `hash`. */
#define COFM_CALLS_HASH_START 0xcbf29ce484222325u
uint64_t cofm_calls_hash(uint64_t hash, const void *bytes, size_t n);

/*
 * object_symbols.h - does a loaded object define a symbol for others?
 *
 * By its hash table ("ELF: GNU hash section", DT_GNU_HASH), and without a lock:
 * dlsym(3) takes the dynamic linker's, which another thread may hold while it
 * waits for this one.
 */
#pragma once

#include <link.h>
#include <stdbool.h>

/* False too if the object has no such table. Async-signal-safe. */
bool object_symbols_define(const struct link_map *object, const char *name);

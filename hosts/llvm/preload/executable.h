/*
 * executable.h - can a library be loaded into this program, and is its bitcode
 * bound to its addresses?
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False: `why` has the reason; "": it is no program, or cannot be opened, and
 * execve(2) will say so. */
bool executable_has_addresses(const char *path, char *why, size_t why_bytes);

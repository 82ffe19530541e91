/*
 * executable.h - can a library be loaded into this program, and is its bitcode
 * bound to its addresses?
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False: `why` has the reason; "": the file cannot be opened, and execve(2)
 * will say why. */
bool executable_has_addresses(const char *path, char *why, size_t why_bytes);

/*
 * known_names.h - names that the host gives a meaning of its own
 *
 * Executables contain code of the C library's and the compiler's static parts,
 * and linkers define the bounds of sections. The host does the same for the
 * program itself, so this code has no bitcode and needs none.
 */
#pragma once

#include <stdbool.h>

/* Does the host define it, or stand in for it? */
bool cofl_known_name(const char *name);

/* May the name be defined in an executable that does not refer to it? */
bool cofl_known_name_of_linker(const char *name);

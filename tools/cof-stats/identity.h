/*
 * identity.h - the identity by which the history knows a program
 */
#pragma once

#include <stdbool.h>

struct cof_history_id;

/*
 * Compute it as hosts do: the hash of the file, or of the bitcode in an
 * executable that cof-cc made. In an executable that was linked without cof-cc
 * the bitcode is in parts, which only LLVM can join. The hash of these is in no
 * history. False: `path` is no file.
 */
bool identity_of(const char *path, struct cof_history_id *id);

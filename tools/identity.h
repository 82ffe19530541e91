/*
 * identity.h - what the history knows a program by, of its file
 */
#ifndef COF_TOOLS_IDENTITY_H
#define COF_TOOLS_IDENTITY_H

#include <stdbool.h>

struct cof_history_id;

/*
 * As hosts do: the hash of the file or, of an executable that cof-cc made, of the
 * bitcode in it. In one that was linked without cof-cc it is in parts, which only
 * LLVM can join: their hash is in no history. False: `path` is no file.
 */
bool identity_of(const char *path, struct cof_history_id *id);

#endif /* COF_TOOLS_IDENTITY_H */

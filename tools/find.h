/*
 * find.h - stats files of a process, or of all of a user's
 */
#ifndef COF_TOOLS_FIND_H
#define COF_TOOLS_FIND_H

#include <stddef.h>

#include "reader.h"

/*
 * Open what `arg` names: a path (it has a '/'), PID, or PID.N for a process
 * with several instances. `dir` is where to look, NULL: everywhere libcof puts
 * files. If several match, a live one is taken, and the lowest N.
 *
 * Returns a file descriptor; or -1 with `why`: no such file; or -2: `arg` is
 * none of the three.
 */
int  find_open(const char *arg, const char *dir, char why[READER_WHY]);

/*
 * Call fn for each file of this user that reads well, by PID. Returns how many
 * files did not.
 */
typedef void find_fn(void *arg, const char *path, const struct reader *r);
unsigned find_each(const char *dir, find_fn *fn, void *arg);

#endif /* COF_TOOLS_FIND_H */

/*
 * find.h - find the stats files of a process, or of all processes of a user
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reader.h"

/*
 * Open the file that `arg` names: a path (it has a '/'), PID, or PID.N for a
 * process with several instances. `dir`: where to look; NULL: everywhere libcof
 * puts files. If several files match, it takes one of a live process, and of
 * these the lowest N.
 *
 * Returns a file descriptor. -1 with `why`: there is no such file. -2: `arg` is
 * none of the three.
 */
int  find_open(const char *arg, const char *dir, char why[READER_WHY]);

/* May files be looked for in `dir`? NULL: everywhere, which may. False: `why`
 * has the reason. */
bool find_may_look(const char *dir, char why[READER_WHY]);

/*
 * Call fn for each readable file of this user, in the order of PIDs. Returns
 * how many files could not be read.
 */
typedef void find_fn(void *arg, const char *path, const struct reader *r);
unsigned find_each(const char *dir, find_fn *fn, void *arg);

/*
 * root_dir.h - is "/" what it was when libcof started?
 *
 * Process-wide. After chroot(2) or pivot_root(2) paths of before mean other
 * files, in a folder that was made for few: libcof makes none there.
 */
#pragma once

#include <stdbool.h>

/* It is what it is to be: the first call counts. */
void cof_root_dir_note(void);

/* True too if nobody noted it. Thread: any. Blocks on file I/O. */
bool cof_root_dir_is_same(void);

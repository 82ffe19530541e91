/*
 * proc_self_exe.h - the program's path in place of /proc/self/exe
 *
 * To the kernel the executable is cof-llvm: /proc/self/exe and AT_EXECFN lead
 * there. Process-wide: cof-llvm defines the functions by which programs read
 * these, and all libraries find them here; std::filesystem is in one. Functions
 * that open the file or ask for its attributes still get cof-llvm.
 */
#pragma once

#include <stdbool.h>

/* From now on the link leads to `program`. Once; the string is borrowed for
 * good. */
void proc_self_exe_set(const char *program);

/* The program's path, without links. Empty: not set. */
const char *proc_self_exe_path(void);

/* Is the path one of the link's own? */
bool proc_self_exe_is_link(const char *path);

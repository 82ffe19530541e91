/*
 * exec_self.h - a program that executes itself anew stays under runtime
 *
 *	executed			becomes
 *	/proc/self/exe			cof-llvm with the program
 *	the program's file, by name	the same; natively if it has no bitcode
 *					or other rights (set-user-ID)
 *	any other file			what the kernel makes of it
 *
 * A new file in the program's place, as in a server's upgrade, counts as the
 * program. runtime's words go with it (runtime/handoff.h). Process-wide:
 * cof-llvm defines the functions of the exec family and posix_spawn(3).
 */
#pragma once

#include <stdbool.h>

/*
 * From now on. `program` is the path as on the command line, borrowed for good;
 * words[n] are runtime's options. `by_name`: also if the file is executed by
 * its name. False: no memory.
 */
bool exec_self_set(const char *program, char *const words[], int n,
		   bool by_name);

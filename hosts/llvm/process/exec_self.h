/*
 * exec_self.h - a program that executes itself anew stays under runtime
 *
 * The functions of the exec family and posix_spawn(3) are stood in for. If they
 * execute /proc/self/exe, or the program's file by its name, they hand on what
 * runtime said (handover.h). A new file in the program's place, as in a
 * server's upgrade, counts as the program. Any other file is executed without,
 * and so is one that runtime would refuse (executable.h), as a file of bitcode
 * is: the kernel does not execute it.
 */
#pragma once

#include "preload/environment.h"

/* From now on. `env` is borrowed for good. */
void exec_self_init(const struct environment *env);

/* Never again: a filter that was made for the program alone stays over
 * execve(2) (runtime/inherited_filter.h). */
void exec_self_forgo(void);

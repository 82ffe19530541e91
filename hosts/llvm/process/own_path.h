/*
 * own_path.h - what a program that was linked from a file takes for itself
 *
 * To the kernel the executable is a file in the cache. /proc/self/exe leads
 * there, and the process is named after it. The program is to find the file
 * that runtime was given. So functions that read the link are stood in for; the
 * name and AT_EXECFN (preload/environment.h) are changed. Functions that open
 * the link, execute it or ask for its attributes get the executable.
 */
#pragma once

/* From now on, for the process; `program` as runtime was given it. Before the
 * program begins. */
void own_path_init(const char *program);

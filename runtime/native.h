/*
 * native.h - execute a program itself, with libcof-preload.so in it
 */
#pragma once

/*
 * Execute it, or what is linked from it if it is bitcode (runtime/bitcode.h),
 * with the options that stand before it on the command line; without
 * libcof-preload.so, after a line that says why, if it has no bitcode that
 * knows its addresses. Returns only if that fails: an exit status, after a line
 * on stderr.
 */
int native_execute(char **argv, char **program);
